package io.middleware.engine.workflows.testing;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.middleware.engine.workflows.testing.port.CleanUpPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundPlan;
import io.middleware.engine.workflows.testing.port.PassedRound;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A round of an IntegrationTest.
 *
 * @param cluster the name of the engine's cluster; may be empty
 * @param name of the IntegrationTest
 * @param uid of the IntegrationTest: one of the same name that is created later is another
 * @param round from 1
 * @param begun when the first round began
 * @param spec stands for the spec, as the first round has found it; empty in the first round
 * @param passed the last rounds that have passed, in their order
 * @param cleanUp what the first round has found is to be deleted; empty in the first round
 */
public record IntegrationTestRequest(
    String cluster,
    String namespace,
    String name,
    String uid,
    int round,
    Instant begun,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> spec,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PassedRound> passed,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<CleanUpPlan> cleanUp) {
  private static final int MOST_SHOWN = 20;

  public IntegrationTestRequest {
    requireNonNull(cluster, "cluster");
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
    requireNonNull(uid, "uid");
    requireNonNull(begun, "begun");
    spec = Objects.requireNonNullElse(spec, Optional.empty());
    passed = passed == null ? List.of() : List.copyOf(passed);
    cleanUp = Objects.requireNonNullElse(cleanUp, Optional.empty());
  }

  /** The first round. */
  public IntegrationTestRequest(
      String cluster, String namespace, String name, String uid, int round, Instant begun) {
    this(
        cluster, namespace, name, uid, round, begun, Optional.empty(), List.of(), Optional.empty());
  }

  /** The round after this one. */
  IntegrationTestRequest next(RoundPlan plan, PassedRound end) {
    var all = Stream.concat(passed.stream(), Stream.of(end)).toList();
    var shown = all.subList(Math.max(0, all.size() - MOST_SHOWN), all.size());
    return new IntegrationTestRequest(
        cluster,
        namespace,
        name,
        uid,
        round + 1,
        begun,
        Optional.of(plan.spec()),
        shown,
        cleanUp.or(() -> Optional.of(plan.cleanUp())));
  }
}
