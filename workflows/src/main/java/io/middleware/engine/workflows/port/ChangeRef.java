package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;
import java.util.Optional;

/**
 * Which run carries out which generation, or which Operation, of which App; every request carries
 * it.
 *
 * @param uid of the App object, so that a late step cannot touch a new App of the same name
 * @param runId of the root workflow's run: each write compares it with the App's run lock
 * @param cluster the name of the engine's cluster; empty, and missing in older histories, if it has
 *     none
 * @param operation that is carried out, on what is deployed; the generation is the App's, whose
 *     change has ended; empty, and missing in older histories, for the change of a generation
 */
public record ChangeRef(
    String namespace,
    String app,
    String uid,
    long generation,
    String runId,
    String cluster,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<OperationRef> operation)
    implements ChangeStep {
  public ChangeRef {
    cluster = Objects.requireNonNullElse(cluster, "");
    operation = Objects.requireNonNullElse(operation, Optional.empty());
    requireNonNull(namespace, "namespace");
    requireNonNull(app, "app");
    requireNonNull(uid, "uid");
    requireNonNull(runId, "runId");
  }

  /** The change of a generation. */
  public ChangeRef(
      String namespace, String app, String uid, long generation, String runId, String cluster) {
    this(namespace, app, uid, generation, runId, cluster, Optional.empty());
  }

  /** A change in a cluster without a name. */
  public ChangeRef(String namespace, String app, String uid, long generation, String runId) {
    this(namespace, app, uid, generation, runId, "");
  }

  /** The release of the App, which is a step of its own. */
  @Override
  public ChangeRef change() {
    return this;
  }

  @Override
  public boolean fromAppWorkflow() {
    return true;
  }

  /** The same run, carrying out this generation. */
  public ChangeRef at(long newGeneration) {
    return new ChangeRef(namespace, app, uid, newGeneration, runId, cluster, operation);
  }

  /** The same run, carrying out this Operation. */
  public ChangeRef of(Optional<OperationRef> carriedOut) {
    return new ChangeRef(namespace, app, uid, generation, runId, cluster, carriedOut);
  }

  /** What is carried out. */
  public Work work() {
    return Work.of(operation, generation);
  }

  /** Whether it is the first change of its App. */
  public boolean firstOfItsApp() {
    return work().firstOfItsApp();
  }

  /** What is carried out, for people: {@code generation 7}, or the Operation. */
  public String subject() {
    return work().subject();
  }

  /** Whether it is an Operation that excludes nothing: it has no run lock, and writes no object. */
  public boolean shared() {
    return work().shared();
  }

  /** The root workflow's id. */
  public String workflowId() {
    return work().workflowId(cluster, namespace, app);
  }
}
