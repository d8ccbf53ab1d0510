package io.middleware.engine.cluster.agents;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.agents.FakeAgent.progress;
import static io.middleware.engine.cluster.agents.FakeAgent.switchesOverTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionDone;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionRefused;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnanswered;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnknown;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.cluster.agents.PodReloads.ReloadCall;
import io.middleware.engine.cluster.secrets.SecretDigests;
import io.middleware.engine.proto.tool.v1.Reloaded;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class AgentActionsTest {
  /** It logs every frame of the answer that is too large. */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  private static final String HERE = "127.0.0.1";
  private static final int HUGE = 5 << 20;

  private final AgentChannels channels = new AgentChannels(name -> null);
  private final List<String> messages = new ArrayList<>();
  private Duration silence = Duration.ofSeconds(15);
  private FakeAgent agent;

  @BeforeAll
  static void quiet() {
    GRPC.setLevel(Level.WARNING);
  }

  @BeforeEach
  void start() throws IOException {
    agent = new FakeAgent(HERE, 0);
  }

  @AfterEach
  void stop() {
    channels.close();
    agent.close();
  }

  @Test
  void shouldReportProgressUntilItIsDone() {
    // Given
    agent.switchover =
        to -> {
          to.onNext(progress("catches up", 40));
          switchesOverTo("db-1").accept(to);
        };
    // When
    var outcome = switchover(messages::add);
    // Then
    assertThat(outcome).isEqualTo(new ActionDone<>("db-1"));
    assertThat(messages.stream().distinct())
        .containsExactly(
            "pod db-0: asked to switch over", "pod db-0: switch over: catches up (40 %)");
    assertThat(agent.calls).containsExactly("switch over step/1");
  }

  @Test
  void shouldReloadParametersAndDrain() {
    var parameters = Map.of("maxmemory", "64mb", "appendonly", "yes");
    var reloaded = Reloaded.newBuilder().setChecksum("of {appendonly=yes, maxmemory=64mb}").build();
    assertThat(actions().reload(call(), reload(parameters), messages::add))
        .isEqualTo(new ActionDone<>(reloaded));
    assertThat(actions().drain(call(), messages::add)).isInstanceOf(ActionUnknown.class);
  }

  private static ReloadCall reload(Map<String, String> parameters) {
    return new ReloadCall("1", new TreeMap<>(parameters), SecretDigests.NONE);
  }

  @Test
  void shouldNameThePod() {
    // Given
    agent.switchover = switchesOverTo("db-1");
    var pod = call().pod();
    // When
    switchover(messages::add);
    actions().reload(call(), reload(Map.of()), messages::add);
    actions().drain(call(), messages::add);
    new AgentQueries(channels, new AgentPolicy(silence, 1, 1024)).role(call().endpoint(), pod);
    // Then
    assertThat(agent.targets).hasSize(4).containsOnly("db-0 " + pod.uid());
  }

  @Test
  void shouldNotRetryARefusal() {
    agent.switchover = to -> to.onError(status(Status.FAILED_PRECONDITION, "db-1 is 2 MiB behind"));
    assertThat(switchover(messages::add))
        .isEqualTo(
            new ActionRefused<>(
                "the agent of pod db-0 (127.0.0.1:"
                    + agent.port()
                    + ") failed to switch over: FAILED_PRECONDITION: db-1 is 2 MiB"
                    + " behind"));
    assertThat(agent.calls).hasSize(1);
  }

  @Test
  void shouldNotRetryAnUnknownAction() {
    agent.switchover = to -> to.onError(status(Status.UNIMPLEMENTED, "Method not found"));
    assertThat(switchover(messages::add)).isInstanceOf(ActionUnknown.class);
    assertThat(agent.calls).hasSize(1);
  }

  @Test
  void shouldRetryWithTheSameOperation() {
    // Given
    agent.switchover =
        to -> {
          agent.switchover = switchesOverTo("db-1");
          to.onError(status(Status.UNAVAILABLE, "election"));
        };
    // When
    var outcome = switchover(messages::add);
    // Then
    assertThat(outcome).isEqualTo(new ActionDone<>("db-1"));
    assertThat(agent.calls).containsExactly("switch over step/1", "switch over step/1");
  }

  @Test
  void shouldGiveUpADeadAgent() {
    agent.close();
    assertThat(switchover(messages::add))
        .isInstanceOfSatisfying(
            ActionUnanswered.class,
            gone -> assertThat(gone.why()).contains("db-0", "connection refused"));
  }

  @Test
  void shouldGiveUpAnAgentWithoutMessages() {
    silence = Duration.ofMillis(500);
    assertThat(switchover(messages::add))
        .isInstanceOfSatisfying(
            ActionUnanswered.class,
            gone -> assertThat(gone.why()).contains("no message within 500 ms"));
    assertThat(agent.calls).hasSize(3);
    await().until(() -> agent.cancelled.get() == 3);
  }

  @Test
  void shouldWaitForASlowAgentThatReportsProgress() {
    // Given
    silence = Duration.ofSeconds(1);
    agent.switchover =
        to ->
            Thread.startVirtualThread(
                () -> {
                  for (var i = 1; i <= 4; i++) {
                    sleep(Duration.ofMillis(400));
                    to.onNext(progress("still at it", i));
                  }
                  switchesOverTo("db-1").accept(to);
                });
    // When
    var outcome = switchover(messages::add);
    // Then
    assertThat(outcome).isEqualTo(new ActionDone<>("db-1"));
    assertThat(agent.calls).hasSize(1);
  }

  @Test
  void shouldGiveUpAnAgentThatEndsTheStreamEarly() {
    agent.switchover =
        to -> {
          to.onNext(progress("half way", 50));
          to.onCompleted();
        };
    assertThat(switchover(messages::add))
        .isInstanceOfSatisfying(
            ActionUnanswered.class,
            gone -> assertThat(gone.why()).contains("ended without a result"));
    assertThat(agent.calls).hasSize(3);
  }

  @Test
  void shouldGiveUpAnAgentThatDiesInTheMiddle() {
    agent.switchover =
        to -> {
          to.onNext(progress("half way", 50));
          Thread.startVirtualThread(agent::close);
        };
    assertThat(switchover(messages::add)).isInstanceOf(ActionUnanswered.class);
    assertThat(agent.calls).hasSize(1);
  }

  @Test
  void shouldNotAskAgainForAnAnswerThatIsTooLarge() {
    agent.switchover = to -> to.onNext(progress("x".repeat(HUGE), 1));
    assertThat(switchover(messages::add))
        .isInstanceOfSatisfying(
            ActionRefused.class,
            refused -> assertThat(refused.why()).contains("its answer has more than"));
    assertThat(agent.calls).hasSize(1);
    assertThat(messages).allSatisfy(text -> assertThat(text).hasSizeLessThan(400));
  }

  @Test
  void shouldShortenLongMessages() {
    agent.switchover =
        to -> {
          to.onNext(progress("x".repeat(200_000), 1));
          switchesOverTo("db-1").accept(to);
        };
    assertThat(switchover(messages::add)).isInstanceOf(ActionDone.class);
    assertThat(messages.stream().distinct())
        .hasSize(2)
        .allSatisfy(text -> assertThat(text).hasSizeLessThan(400));
  }

  @Test
  void shouldCancelTheActionWhenItsCallerIsCancelled() {
    // Given
    agent.switchover = to -> to.onNext(progress("waits", 0));
    Consumer<String> cancelled =
        text -> {
          if (text.contains("waits")) {
            throw new CancellationException("the change is cancelled");
          }
        };
    // When
    assertThatThrownBy(() -> switchover(cancelled)).isInstanceOf(CancellationException.class);
    // Then
    await().until(() -> agent.cancelled.get() == 1);
    assertThat(agent.calls).hasSize(1);
  }

  private ActionOutcome<String> switchover(Consumer<String> listener) {
    return actions().switchover(call(), listener);
  }

  private AgentActions actions() {
    return new AgentActions(channels, new AgentPolicy(silence, 3, 256 * 1024));
  }

  private ActionCall call() {
    return new ActionCall(
        new AgentEndpoint(agent.port(), ""), readyAt("db-0", "old", HERE), "step/1");
  }

  private static RuntimeException status(Status status, String why) {
    return status.withDescription(why).asRuntimeException();
  }

  private static void sleep(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
