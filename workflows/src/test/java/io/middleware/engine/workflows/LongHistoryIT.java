package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.ID;
import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.component.GroupChangeWorkflowImpl;
import io.middleware.engine.workflows.history.ReplayIT;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Temporal terminates a run at 51 200 events, and a change may need more. */
class LongHistoryIT {
  private static final int HALF_OF_THE_LIMIT = 25_600;

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(true);
  private final FakeCluster cluster = env.cluster;
  private final Set<String> runs = ConcurrentHashMap.newKeySet();

  @BeforeEach
  void collectRuns() {
    cluster.seen = progress -> runs.add(progress.change().runId());
  }

  @Test
  void shouldCarryOutAPausedAppThatWasEditedTenThousandTimes() {
    // Given
    var newest = new AtomicLong(7);
    cluster.planner = change -> Plans.inTurn(newest.get(), ChangeType.CONFIG, "sentinel", "nodes");
    env.change(request(7).in(true, false));
    // When
    for (var generation = 8; generation <= 10_007; generation++) {
      newest.set(generation);
      env.open().signal("changed", request(generation).in(true, false));
    }
    env.change(newest.incrementAndGet());
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    var report = cluster.lastReport();
    assertThat(report.change().generation()).isEqualTo(10_008);
    assertThat(report.notes().superseded()).isEqualTo(10_001);
    assertThat(cluster.operations)
        .containsOnlyOnce("open 10008-config-sentinel", "open 10008-config-nodes");
    assertThatItTookMoreRuns();
  }

  /** As when its Plugin is broken, and nobody looks at it for months. */
  @Test
  void shouldPlanAgainUntilItSucceeds() {
    // Given
    var tries = new AtomicInteger();
    cluster.fault =
        operation ->
            operation.startsWith("plan") && tries.incrementAndGet() < 2700
                ? fails(FaultKind.UNAVAILABLE, "the API server is away")
                : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThatItTookMoreRuns();
  }

  @Test
  void shouldReplaceAThousandPodsOfOneGroup() throws Exception {
    // Given
    cluster.planner = Plans.apart(cluster.planner);
    cluster.pods.put("shard-0", IntStream.range(0, 1000).mapToObj(it -> "pod-" + it).toList());
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations).contains("replace pod-0", "replace pod-999");
    // and a worker that has not seen the run yet can go on with it
    var history = env.client().fetchHistory(ID + "/7/7-config-nodes/shard-0");
    assertThat(history.getEvents()).hasSizeLessThan(HALF_OF_THE_LIMIT);
    ReplayIT.replay(history, GroupChangeWorkflowImpl.class);
  }

  @Test
  void shouldWaitForAnApprovalForAMonth() {
    // Given
    cluster.planner =
        change ->
            Plans.inTurn(7, ChangeType.CONFIG, "nodes") instanceof Planned planned
                ? new Planned(planned.plan().awaiting("c0ffee00"))
                : new Planned(Plans.nothing(7));
    env.change(7);
    // When
    env.temporal.sleep(Duration.ofDays(31));
    env.update("approve", "c0ffee00");
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(runs).hasSize(1);
  }

  private void assertThatItTookMoreRuns() {
    assertThat(runs)
        .hasSizeGreaterThan(1)
        .allSatisfy(
            run ->
                assertThat(env.client().fetchHistory(ID, run).getEvents())
                    .hasSizeLessThan(HALF_OF_THE_LIMIT));
  }
}
