package io.middleware.engine.cluster.agents;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.AgentSettings;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.Scenario;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentQueries.OrderQuery;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class AgentQuestionTest {
  /** An address without a server. */
  private static final String DEAD = "127.0.0.9";

  private final AgentChannels channels = new AgentChannels(name -> null);
  private final List<PodState> pods = new ArrayList<>();
  private Duration deadline = Duration.ofSeconds(20);
  private Duration patience = Duration.ZERO;
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
                "the agent of pod db-3 (127.0.0.1:%d) failed to answer GetGroupOrder: FAILED_PRECONDITION: split brain"
                    .formatted(first.port())));
  }

  @Test
  void shouldGiveUpInTimeHoweverManyPodsHang() {
    // Given
    IntStream.range(0, 100).forEach(i -> pods.add(readyAt("db-" + i, "old", "127.0.0.1")));
    first.hangs = true;
    deadline = Duration.ofMillis(500);
    // When
    var answer = groupOrder();
    // Then
    assertThat(answer)
        .isInstanceOfSatisfying(
            AgentAnswer.AnswerMissing.class,
            missing -> assertThat(missing.why()).contains("pod db-2 ", "no answer within 500 ms"));
    assertThat(first.calls).as("not all 100").hasSizeBetween(4, 3 + 3 * 8);
  }

  @Test
  void shouldAskOtherPodsWhenOneDoesNotKnowTheQuestion() {
    // Given
    pods.add(readyAt("db-0", "old", "127.0.0.1"));
    pods.add(readyAt("db-1", "old", "127.0.0.2"));
    first.failure = Status.UNIMPLEMENTED;
    second.order = List::reversed;
    // When
    var answer = groupOrder();
    // Then
    assertThat(answer)
        .isEqualTo(
            new AgentAnswer.AnswerGiven<>(
                new ExecutionOrder(List.of("s-10", "s-2"), false), "db-1"));
    assertThat(first.calls).hasSize(1);
  }

  @Test
  void shouldAskAgainWhileAnElectionLasts() {
    // Given
    pods.add(readyAt("db-0", "old", "127.0.0.1"));
    pods.add(readyAt("db-1", "old", "127.0.0.2"));
    first.failure = Status.UNAVAILABLE.withDescription("election");
    second.failure = first.failure;
    patience = Duration.ofMinutes(1);
    Thread.startVirtualThread(
        () -> {
          LockSupport.parkNanos(Duration.ofMillis(1500).toNanos());
          second.failure = Status.OK;
        });
    // When
    var answer = groupOrder();
    // Then
    assertThat(answer).isInstanceOf(AgentAnswer.AnswerGiven.class);
    assertThat(first.calls).hasSizeGreaterThan(1);
  }

  @Test
  void shouldGiveUpWhenItsPatienceIsUsedUp() {
    // Given
    pods.add(readyAt("db-0", "old", "127.0.0.1"));
    first.failure = Status.UNAVAILABLE.withDescription("election");
    patience = Duration.ofSeconds(1);
    var began = System.nanoTime();
    // When
    var answer = groupOrder();
    // Then
    assertThat(answer).isInstanceOf(AgentAnswer.AnswerMissing.class);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(patience);
  }

  @Test
  void shouldNotBePatientWithAgentsThatDoNotKnowTheQuestion() {
    // Given
    pods.add(readyAt("db-0", "old", "127.0.0.1"));
    pods.add(readyAt("db-1", "old", "127.0.0.2"));
    first.failure = Status.UNIMPLEMENTED;
    second.failure = Status.UNIMPLEMENTED;
    patience = Duration.ofMinutes(1);
    // When
    var answer = groupOrder();
    // Then
    assertThat(answer)
        .isInstanceOfSatisfying(
            AgentAnswer.AnswerMissing.class, missing -> assertThat(missing.lasting()).isTrue());
    assertThat(first.calls.size() + second.calls.size()).isEqualTo(2);
  }

  @Test
  void shouldHearALongRefusal() {
    // Given
    pods.add(readyAt("db-0", "old", "127.0.0.1"));
    first.failure = Status.FAILED_PRECONDITION.withDescription("split brain ".repeat(8534));
    // When
    var answer = groupOrder();
    // Then
    assertThat(answer)
        .isInstanceOfSatisfying(
            AgentAnswer.AnswerRefused.class,
            refused ->
                assertThat(refused.why())
                    .contains("FAILED_PRECONDITION: split brain")
                    .endsWith("…")
                    .hasSizeLessThan(500));
  }

  @Test
  void shouldLetNoControlCharactersIn() {
    // Given
    pods.add(readyAt("db-0", "old", "127.0.0.1"));
    first.failure =
        Status.FAILED_PRECONDITION.withDescription("\u001b[31mred\r\nnext \u202eright\u200b");
    // When, Then
    assertThat(groupOrder().toString())
        .contains("FAILED_PRECONDITION: [31mred next right")
        .matches("[\\x20-\\x7e]+");
  }

  @Test
  void shouldSayInPlainWordsWhyThereIsNoAnswer() {
    // Given
    pods.add(readyAt("db-0", "old", DEAD));
    deadline = Duration.ofMillis(300);
    // When
    var dead = groupOrder().toString();
    pods.set(0, readyAt("db-0", "old", "127.0.0.1"));
    first.hangs = true;
    var silent = groupOrder().toString();
    first.hangs = false;
    first.order = names -> List.of("x".repeat(2000));
    var huge = groupOrder().toString();
    first.failure = Status.UNIMPLEMENTED;
    var unknown = groupOrder().toString();
    // Then
    assertThat(dead)
        .contains(
            "the agent of pod db-0 (%s:%d) failed to answer GetGroupOrder: connection refused"
                .formatted(DEAD, first.port()));
    assertThat(silent)
        .contains(
            "the agent of pod db-0 (127.0.0.1:%d) failed to answer GetGroupOrder: no answer within 300 ms"
                .formatted(first.port()));
    assertThat(huge).contains("GetGroupOrder: its answer has more than 1024 bytes");
    assertThat(unknown).contains("GetGroupOrder: it does not implement this");
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
    var candidates = AgentCandidates.of(plugin, pods, PodAgents.UNKNOWN).orElseThrow();
    // Then
    assertThat(candidates.pods())
        .extracting(PodState::name)
        .containsExactly("db-0", "other-0", "db-1", "other-1", "db-10");
  }

  private AgentAnswer<ExecutionOrder> groupOrder() {
    return new AgentQueries(channels, new AgentPolicy(deadline, 3, 1024, patience))
        .groupOrder(
            new AgentCandidates(new AgentEndpoint(first.port(), ""), pods),
            new OrderQuery("db", Scenario.UPGRADE, List.of("s-2", "s-10")));
  }

  private static PodState ofAnotherGroup(PodState pod) {
    return new PodState(
        pod.pod().edit().editMetadata().addToLabels(Labels.GROUP, "h").endMetadata().build());
  }
}
