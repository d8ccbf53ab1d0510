package io.middleware.engine.activities.agents;

import static io.middleware.engine.activities.agents.FakeAgent.progress;
import static io.middleware.engine.activities.agents.FakeAgent.switchesOverTo;
import static io.middleware.engine.activities.kubernetes.Samples.readyAt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.middleware.engine.activities.agents.ActionOutcome.Done;
import io.middleware.engine.activities.agents.ActionOutcome.Refused;
import io.middleware.engine.activities.agents.ActionOutcome.Unanswered;
import io.middleware.engine.activities.agents.ActionOutcome.Unknown;
import io.middleware.engine.activities.agents.AgentActions.ActionCall;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AgentActionsTest {
  /** It tells of every frame of the answer that is too large. */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  private static final String HERE = "127.0.0.1";
  private static final int HUGE = 5 << 20;

  private final AgentChannels channels = new AgentChannels(name -> null);
  private final List<String> told = new ArrayList<>();
  private Duration silence = Duration.ofSeconds(15);
  private FakeAgent agent;

  @BeforeAll
  static void hush() {
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
  void shouldTellHowFarItIsUntilItIsDone() {
    // Given
    agent.switchover =
        to -> {
          to.onNext(progress("catches up", 40));
          switchesOverTo("db-1").accept(to);
        };
    // When
    var outcome = switchover(told::add);
    // Then
    assertThat(outcome).isEqualTo(new Done<>("db-1"));
    assertThat(told)
        .containsExactly(
            "pod db-0: asked to switch over", "pod db-0: switch over: catches up (40 %)");
    assertThat(agent.calls).containsExactly("switch over step/1");
  }

  @Test
  void shouldGiveParametersAndAskForAnEnd() {
    var parameters = Map.of("maxmemory", "64mb", "appendonly", "yes");
    assertThat(actions().reload(errand(), parameters, told::add))
        .isEqualTo(new Done<>("of {appendonly=yes, maxmemory=64mb}"));
    assertThat(actions().drain(errand(), told::add)).isInstanceOf(Unknown.class);
  }

  @Test
  void shouldNameThePodThatIsMeant() {
    // Given
    agent.switchover = switchesOverTo("db-1");
    var pod = errand().pod();
    // When
    switchover(told::add);
    actions().reload(errand(), Map.of(), told::add);
    actions().drain(errand(), told::add);
    new AgentQueries(channels, new AgentPolicy(silence, 1, 1024)).role(errand().at(), pod);
    // Then
    assertThat(agent.meant).hasSize(4).containsOnly("db-0 " + pod.uid());
  }

  @Test
  void shouldNotRepeatWhatIsRefused() {
    agent.switchover = to -> to.onError(status(Status.FAILED_PRECONDITION, "db-1 is 2 MiB behind"));
    assertThat(switchover(told::add))
        .isEqualTo(
            new Refused<>(
                "the agent of pod db-0, asked to switch over: FAILED_PRECONDITION: db-1 is 2 MiB"
                    + " behind"));
    assertThat(agent.calls).hasSize(1);
  }

  @Test
  void shouldNotRepeatWhatAnAgentDoesNotKnow() {
    agent.switchover = to -> to.onError(status(Status.UNIMPLEMENTED, "Method not found"));
    assertThat(switchover(told::add)).isInstanceOf(Unknown.class);
    assertThat(agent.calls).hasSize(1);
  }

  @Test
  void shouldTryAgainWithTheSameOperation() {
    // Given
    agent.switchover =
        to -> {
          agent.switchover = switchesOverTo("db-1");
          to.onError(status(Status.UNAVAILABLE, "election"));
        };
    // When
    var outcome = switchover(told::add);
    // Then
    assertThat(outcome).isEqualTo(new Done<>("db-1"));
    assertThat(agent.calls).containsExactly("switch over step/1", "switch over step/1");
  }

  @Test
  void shouldGiveUpAnAgentThatIsDead() {
    agent.close();
    assertThat(switchover(told::add))
        .isInstanceOfSatisfying(
            Unanswered.class, gone -> assertThat(gone.why()).contains("db-0", "UNAVAILABLE"));
  }

  @Test
  void shouldGiveUpAnAgentThatSaysNothing() {
    silence = Duration.ofMillis(500);
    assertThat(switchover(told::add))
        .isInstanceOfSatisfying(
            Unanswered.class, gone -> assertThat(gone.why()).contains("no word for 500 ms"));
    assertThat(agent.calls).hasSize(3);
    await().until(() -> agent.cancelled.get() == 3);
  }

  @Test
  void shouldWaitForAnAgentThatIsSlowButSpeaks() {
    // Given
    silence = Duration.ofSeconds(1);
    agent.switchover =
        to ->
            Thread.startVirtualThread(
                () -> {
                  for (var i = 1; i <= 4; i++) {
                    rest(Duration.ofMillis(400));
                    to.onNext(progress("still at it", i));
                  }
                  switchesOverTo("db-1").accept(to);
                });
    // When
    var outcome = switchover(told::add);
    // Then
    assertThat(outcome).isEqualTo(new Done<>("db-1"));
    assertThat(agent.calls).hasSize(1);
  }

  @Test
  void shouldGiveUpAnAgentThatHangsUpInTheMiddle() {
    agent.switchover =
        to -> {
          to.onNext(progress("half way", 50));
          to.onCompleted();
        };
    assertThat(switchover(told::add))
        .isInstanceOfSatisfying(
            Unanswered.class, gone -> assertThat(gone.why()).contains("ended without a result"));
    assertThat(agent.calls).hasSize(3);
  }

  @Test
  void shouldGiveUpAnAgentThatDiesInTheMiddle() {
    agent.switchover =
        to -> {
          to.onNext(progress("half way", 50));
          Thread.startVirtualThread(agent::close);
        };
    assertThat(switchover(told::add)).isInstanceOf(Unanswered.class);
    assertThat(agent.calls).hasSize(1);
  }

  @Test
  void shouldNotReadAnAnswerThatIsTooLarge() {
    agent.switchover = to -> to.onNext(progress("x".repeat(HUGE), 1));
    assertThat(switchover(told::add))
        .isInstanceOfSatisfying(
            Unanswered.class, gone -> assertThat(gone.why()).contains("RESOURCE_EXHAUSTED"));
    assertThat(told).allSatisfy(words -> assertThat(words).hasSizeLessThan(400));
  }

  @Test
  void shouldKeepLongWordsShort() {
    agent.switchover =
        to -> {
          to.onNext(progress("x".repeat(200_000), 1));
          switchesOverTo("db-1").accept(to);
        };
    assertThat(switchover(told::add)).isInstanceOf(Done.class);
    assertThat(told).hasSize(2).allSatisfy(words -> assertThat(words).hasSizeLessThan(400));
  }

  @Test
  void shouldCancelTheActionWithItsCaller() {
    // Given
    agent.switchover = to -> to.onNext(progress("waits", 0));
    Consumer<String> cancelled =
        words -> {
          if (words.contains("waits")) {
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
    return actions().switchover(errand(), listener);
  }

  private AgentActions actions() {
    return new AgentActions(channels, new AgentPolicy(silence, 3, 256 * 1024));
  }

  private ActionCall errand() {
    return new ActionCall(
        new AgentEndpoint(agent.port(), ""), readyAt("db-0", "old", HERE), "step/1");
  }

  private static RuntimeException status(Status status, String why) {
    return status.withDescription(why).asRuntimeException();
  }

  private static void rest(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
