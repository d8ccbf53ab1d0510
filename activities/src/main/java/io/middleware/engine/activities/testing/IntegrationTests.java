package io.middleware.engine.activities.testing;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestSpec;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.StatusUpdates;
import io.middleware.engine.workflows.testing.port.TestRef;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The IntegrationTests on the API server. A run reads and writes only what is its own. The current
 * run of a test's workflow takes it over, also when it was cancelled before it began, or was reset
 * past its begin.
 */
final class IntegrationTests {
  private final StatusUpdates<IntegrationTestSpec, IntegrationTestStatus, IntegrationTest> writer;

  private final TestRunLookup runs;
  private final StatusBudget budget;

  /**
   * @param client with the engine's own rights
   */
  IntegrationTests(KubernetesClient client, TestRunLookup runs) {
    this.runs = runs;
    this.budget = new StatusBudget(client.getKubernetesSerialization());
    this.writer = StatusUpdates.ofManyWriters(client, IntegrationTest.class, IntegrationTest::new);
  }

  /** The test as it is now, if it is the same, whichever run carries it out. */
  Optional<IntegrationTest> find(TestRef ref) {
    return writer.find(ref.namespace(), ref.name()).filter(test -> isSame(ref, test));
  }

  /** The same, if it is this run's and has not ended. */
  Optional<IntegrationTest> findOfRun(TestRef ref) {
    var found = find(ref).filter(test -> isOfRun(ref, test));
    return found.isEmpty() || hasRun(ref, found.get())
        ? found
        : write(ref, now -> now).filter(test -> hasRun(ref, test));
  }

  /**
   * The same.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind SUPERSEDED when it is not
   */
  IntegrationTest require(TestRef ref) {
    return findOfRun(ref).orElseThrow(() -> superseded(ref));
  }

  static RuntimeException superseded(TestRef ref) {
    return Faults.of(
        FaultKind.SUPERSEDED,
        "IntegrationTest %s/%s has ended, is gone, or is another run's"
            .formatted(ref.namespace(), ref.name()));
  }

  /** Makes the test this run's; empty when it has ended, is gone, or {@code next} is empty. */
  Optional<IntegrationTest> claim(
      TestRef ref, Function<IntegrationTest, Optional<IntegrationTestStatus>> next) {
    return writer.write(
        ref.namespace(),
        ref.name(),
        test ->
            isSame(ref, test) && !test.hasEnded()
                ? next.apply(test).map(budget::fit)
                : Optional.empty());
  }

  /** Writes the status of a test that is this run's; empty when it is not. */
  Optional<IntegrationTest> write(TestRef ref, UnaryOperator<IntegrationTestStatus> next) {
    return writer.write(
        ref.namespace(),
        ref.name(),
        test ->
            isSame(ref, test) && isOfRun(ref, test)
                ? Optional.of(
                    budget.fit(
                        next.apply(
                            IntegrationTestStatuses.takenOver(
                                ref, Optional.ofNullable(test.getStatus())))))
                : Optional.empty());
  }

  private static boolean isSame(TestRef ref, IntegrationTest test) {
    return ref.uid().equals(test.getMetadata().getUid()) && test.getSpec() != null;
  }

  private boolean isOfRun(TestRef ref, IntegrationTest test) {
    return !test.hasEnded() && (hasRun(ref, test) || runs.isCurrent(ref));
  }

  private static boolean hasRun(TestRef ref, IntegrationTest test) {
    return test.getStatus() != null && ref.runId().equals(test.getStatus().runId());
  }
}
