package io.middleware.engine.activities.resources;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.SampleObjects.unready;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.activities.pods.TerminatingClaims;
import io.middleware.engine.api.AgentsByPlugin.Agents;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.AgentSettings;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.PodAgents;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.DrainFirst;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.Preparation;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of the group g, whose agents do not answer. */
class RemovedGroupPodsTest {
  private PodAgents recorded = PodAgents.UNKNOWN;
  private final AgentChannels channels =
      new AgentChannels(name -> null, List.of(), pod -> recorded.of(pod));
  private final FakeView view = new FakeView();
  private final App app = new App();
  private boolean othersStay = true;

  @BeforeEach
  void run() {
    view.sets.add(set(3, 4));
    view.pods.add(readyAt("db-0", "new", "127.0.0.1"));
    view.pods.add(readyAt("db-1", "new", "127.0.0.1"));
    view.pods.add(unready("db-2", "new"));
  }

  @AfterEach
  void stop() {
    channels.close();
  }

  @Test
  void shouldBeDrainedFromTheLastWhereNoAgentGivesAnOrder() {
    assertThat(toDrain(() -> plugin(1)).orElseThrow().pods())
        .containsExactly(
            new LeavingPod("db-1", "uid-of-db-1"),
            new LeavingPod("db-0", "uid-of-db-0"),
            new LeavingPod("db-2", "uid-of-db-2"));
  }

  @Test
  void shouldMakeTheirDataDurableWhichStay() {
    assertThat(toDrain(() -> plugin(1)).orElseThrow().preparations())
        .containsExactlyInAnyOrder(Preparation.DRAIN, Preparation.PERSIST);
    // and when the whole component is removed
    othersStay = false;
    assertThat(toDrain(() -> plugin(1)).orElseThrow().preparations())
        .containsExactly(Preparation.PERSIST);
    // and when it is deleted by force
    app.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
    app.getMetadata().setAnnotations(Map.of(Labels.FORCE_DELETE, "true"));
    assertThat(toDrain(() -> plugin(1))).isEmpty();
  }

  @Test
  void shouldNotBeDrainedWithoutAgents() {
    assertThat(toDrain(() -> plugin(null))).isEmpty();
  }

  @Test
  void shouldBePreparedByAgentsThatTheNewPluginDoesNotHave() {
    recorded = pod -> Optional.of(new Agents(1, "", true));
    assertThat(toDrain(() -> plugin(null)).orElseThrow().preparations())
        .containsExactlyInAnyOrder(Preparation.DRAIN, Preparation.PERSIST);
    assertThat(toDrain(() -> fail(FaultKind.INVALID)).orElseThrow().preparations())
        .containsExactlyInAnyOrder(Preparation.DRAIN, Preparation.PERSIST);
  }

  @Test
  void shouldGoAlsoWhenThePluginIsGone() {
    assertThat(toDrain(() -> fail(FaultKind.INVALID))).isEmpty();
    assertThatThrownBy(() -> toDrain(() -> fail(FaultKind.UNAVAILABLE)))
        .isInstanceOf(ApplicationFailure.class);
  }

  @Test
  void shouldAskForNothingWhereNobodyIsReady() {
    view.pods.removeIf(pod -> pod.isReady());
    assertThat(toDrain(() -> fail(FaultKind.UNAVAILABLE))).isEmpty();
  }

  private Optional<DrainFirst> toDrain(Supplier<PluginSpec> plugin) {
    var change = new ChangeRef("shop", "cache", "uid", 7, "run");
    var task = new TaskRef(change, "7-remove-db", ChangeType.REMOVE, "db");
    var policy = new AgentPolicy(Duration.ofSeconds(1), 1, 1024);
    return new RemovedGroupPods(
            view,
            new AgentQueries(channels, policy),
            new TerminatingClaims(null),
            new ScaledDownPods(view, null))
        .first(app, new GroupRef(task, "g"), othersStay, plugin);
  }

  private static PluginSpec fail(FaultKind kind) {
    throw Faults.of(kind, "read Plugin redis-v1.0.0");
  }

  private static PluginSpec plugin(Integer port) {
    return new PluginSpec(
        "redis",
        "1.0.0",
        null,
        null,
        null,
        null,
        null,
        port == null ? null : new AgentSettings(port, null),
        null,
        null,
        null,
        null);
  }
}
