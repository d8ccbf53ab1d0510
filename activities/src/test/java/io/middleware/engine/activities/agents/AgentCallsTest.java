package io.middleware.engine.activities.agents;

import static io.middleware.engine.activities.kubernetes.Samples.readyAt;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.middleware.engine.activities.agents.AgentQueries.CandidatePods;
import io.middleware.engine.activities.agents.AgentQueries.OrderQuery;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.AgentSettings;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.Scenario;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class AgentCallsTest {
  /** An address without a server. */
  private static final String DEAD = "127.0.0.9";

  private final AgentChannels channels = new AgentChannels(name -> null);
  private final List<PodState> pods = new ArrayList<>();
  private Duration deadline = Duration.ofSeconds(20);
  private FakeAgent first;
  private FakeAgent second;

  @BeforeEach
  void start() throws IOException {
    first = new FakeAgent("127.0.0.1", 0);
    second = new FakeAgent("127.0.0.2", first.port());
  }

  @AfterEach
  void stop() {
    channels.close();
    first.close();
    second.close();
  }

  @Test
  void shouldAskEveryPodBeforeItGivesUp() {
    // Given
    IntStream.range(0, 3).forEach(i -> pods.add(readyAt("db-" + i, "old", DEAD)));
    pods.add(readyAt("db-3", "old", "127.0.0.1"));
    pods.add(readyAt("db-4", "old", "127.0.0.2"));
    first.hangs = true;
    second.order = List::reversed;
    // When
    var answer = groupOrder();
    // Then
    assertThat(answer)
        .isEqualTo(
            new AgentAnswer.AnswerGiven<>(
                new ExecutionOrder(List.of("s-10", "s-2"), false), "db-4"));
  }

  @Test
  void shouldTreatARefusalAsFinal() {
    // Given
    IntStream.range(0, 3).forEach(i -> pods.add(readyAt("db-" + i, "old", DEAD)));
    pods.add(readyAt("db-3", "old", "127.0.0.1"));
    first.failure = Status.FAILED_PRECONDITION.withDescription("split brain");
    // When
    var answer = groupOrder();
    // Then
    assertThat(answer)
        .isEqualTo(
            new AgentAnswer.AnswerRefused<>(
                "the agent of pod db-3 failed to answer: FAILED_PRECONDITION: split brain"));
  }

  @Test
  void shouldGiveUpInTimeHoweverManyPodsHang() {
    // Given
    IntStream.range(0, 100).forEach(i -> pods.add(readyAt("db-" + i, "old", "127.0.0.1")));
    first.hangs = true;
    deadline = Duration.ofMillis(500);
    var began = System.nanoTime();
    // When
    var answer = groupOrder();
    // Then
    assertThat(answer)
        .isInstanceOfSatisfying(
            AgentAnswer.AnswerMissing.class,
            missing ->
                assertThat(missing.why()).contains("pod db-2 failed to answer: DEADLINE_EXCEEDED"));
    assertThat(first.calls).hasSizeBetween(4, 3 + 3 * 8);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(deadline.multipliedBy(12));
  }

  @Test
  void shouldAskPodsOfDifferentGroupsFirst() {
    // Given
    pods.add(readyAt("db-10", "old", DEAD));
    pods.add(ofAnotherGroup(readyAt("other-0", "old", DEAD)));
    pods.add(ofAnotherGroup(readyAt("other-1", "old", DEAD)));
    pods.add(readyAt("db-0", "old", DEAD));
    pods.add(readyAt("db-1", "old", DEAD));
    var agent = new AgentSettings(9090, null);
    var plugin =
        new PluginSpec(
            "redis", "1.0.0", null, null, null, null, null, agent, null, null, null, null);
    // When
    var candidates = GrpcOrderingActivities.candidates(plugin, pods).orElseThrow();
    // Then
    assertThat(candidates.pods())
        .extracting(PodState::name)
        .containsExactly("db-0", "other-0", "db-1", "other-1", "db-10");
  }

  private AgentAnswer<ExecutionOrder> groupOrder() {
    return new AgentQueries(channels, new AgentPolicy(deadline, 3, 1024))
        .groupOrder(
            new CandidatePods(new AgentEndpoint(first.port(), ""), pods),
            new OrderQuery("db", Scenario.UPGRADE, List.of("s-2", "s-10")));
  }

  private static PodState ofAnotherGroup(PodState pod) {
    return new PodState(
        pod.pod().edit().editMetadata().addToLabels(Labels.GROUP, "h").endMetadata().build());
  }
}
