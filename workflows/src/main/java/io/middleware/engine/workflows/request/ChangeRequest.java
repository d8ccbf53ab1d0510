package io.middleware.engine.workflows.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.middleware.engine.workflows.port.Work;
import java.util.Objects;
import java.util.Optional;

/**
 * The request to carry out an App's generation, or an Operation.
 *
 * @param target the App; in JSON its fields are beside the others, as people write them by hand
 * @param deleted whether the App is being deleted
 * @param paused whether {@code spec.paused} is set; it does not hold a deletion
 * @param urgent whether the request does not wait for the end of a running change
 * @param retry which tasks of a change that has ended are retried; empty: all that are not done
 * @param superseded how many generations before this one were never carried out
 * @param plugin name of the Plugin object that the App uses; empty when it cannot be read
 * @param operation to carry out instead of the generation; it waits for nothing, and every other
 *     request waits for its end or stops it
 */
public record ChangeRequest(
    @JsonUnwrapped ChangeTarget target,
    long generation,
    boolean deleted,
    boolean paused,
    boolean urgent,
    Optional<RetryRequest> retry,
    long superseded,
    Optional<String> plugin,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<OperationRequest> operation) {
  public ChangeRequest {
    operation = Objects.requireNonNullElse(operation, Optional.empty());
    paused = paused && !deleted;
  }

  /** A request without any options. */
  public ChangeRequest(ChangeTarget target, long generation, boolean deleted) {
    this(
        target,
        generation,
        deleted,
        false,
        false,
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty());
  }

  /** An Operation on the App of this request. */
  public ChangeRequest of(OperationRequest carriedOut) {
    return new ChangeRequest(
        target,
        generation,
        false,
        paused,
        urgent,
        Optional.empty(),
        0,
        plugin,
        Optional.of(carriedOut));
  }

  /** The same Operation, with an edit that arrived before its run began. */
  public ChangeRequest before(Optional<ChangeRequest> edit) {
    return edit.flatMap(later -> operation.map(known -> of(known.and(later)))).orElse(this);
  }

  public String namespace() {
    return target.namespace();
  }

  public String app() {
    return target.app();
  }

  /** The same request of an App that uses this Plugin. */
  public ChangeRequest using(Optional<String> named) {
    return copy(generation, paused, urgent, retry, superseded, named);
  }

  /** The same request, with the App's settings of how it is carried out. */
  public ChangeRequest in(boolean nowPaused, boolean nowUrgent) {
    return copy(generation, nowPaused, nowUrgent, retry, superseded, plugin);
  }

  /** The same generation again, for these tasks and those it is requested for already. */
  public ChangeRequest again(RetryRequest tasks) {
    return with(generation, Optional.of(retry.map(tasks::and).orElse(tasks)), superseded);
  }

  /** The same request for all tasks that are not done. */
  public ChangeRequest forAllTasks() {
    return with(generation, Optional.empty(), superseded);
  }

  /** What is requested. */
  public Work work() {
    return Work.of(operation.map(OperationRequest::ref), generation);
  }

  /** The id of the workflow that receives the request. */
  public String workflowId(String cluster) {
    return work().workflowId(cluster, namespace(), app());
  }

  /**
   * Whether this request replaces the other: a later App of the name, a deletion, a newer
   * generation, or a retry of the same generation; after an Operation, every request but another
   * Operation.
   */
  public boolean overtakes(ChangeRequest other) {
    if (!target.isSameObject(other.target)) {
      return target.createdAt() >= other.target.createdAt();
    }
    if (operation.isPresent() || other.operation.isPresent()) {
      return operation.isEmpty();
    }
    return generation > other.generation
        || (deleted && !other.deleted)
        || (generation == other.generation && retry.isPresent());
  }

  /** Whether it repeats the other's deletion: much may have changed since, such as its force. */
  public boolean repeats(ChangeRequest other) {
    return target.isSameObject(other.target)
        && deleted
        && other.deleted
        && generation == other.generation
        && retry.isEmpty();
  }

  /** Whether the other must stop: its App is being deleted, or a later App has its name. */
  public boolean ends(ChangeRequest other) {
    return target.isSameObject(other.target)
        ? deleted && !other.deleted
        : target.createdAt() > other.target.createdAt();
  }

  /** Whether it does not wait until the other has ended. */
  public boolean supersedes(ChangeRequest other) {
    return urgent && (!target.isSameObject(other.target) || generation > other.generation);
  }

  /** The same request for the generation that was planned; a retry is of one generation only. */
  public ChangeRequest at(long planned) {
    return with(planned, planned == generation ? retry : Optional.empty(), superseded);
  }

  /** The same request, counting the generations between it and the change it waits for. */
  public ChangeRequest after(ChangeRequest running) {
    var between =
        target.isSameObject(running.target) ? Math.max(0, generation - running.generation - 1) : 0;
    return with(generation, retry, between);
  }

  /** The same request, counting the other and those that it counts, none of which has begun. */
  public ChangeRequest insteadOf(ChangeRequest other) {
    return target.isSameObject(other.target)
        ? superseding(other.superseded + Math.max(0, generation - other.generation))
        : this;
  }

  /** The same request, counting this many generations before it that were never carried out. */
  public ChangeRequest superseding(long generations) {
    return with(generation, retry, generations);
  }

  private ChangeRequest with(long newGeneration, Optional<RetryRequest> tasks, long overtaken) {
    return copy(newGeneration, paused, urgent, tasks, overtaken, plugin);
  }

  private ChangeRequest copy(
      long newGeneration,
      boolean nowPaused,
      boolean nowUrgent,
      Optional<RetryRequest> tasks,
      long overtaken,
      Optional<String> named) {
    return new ChangeRequest(
        target, newGeneration, deleted, nowPaused, nowUrgent, tasks, overtaken, named, operation);
  }
}
