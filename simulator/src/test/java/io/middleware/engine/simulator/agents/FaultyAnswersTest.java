package io.middleware.engine.simulator.agents;

import static io.middleware.engine.proto.agent.v1.Scenario.SCENARIO_UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.FixedReplication;
import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.agent.server.ReplicationAnswers;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FaultyAnswersTest {
  private static final List<String> PODS = List.of("db-0", "db-1");
  private static final Duration SLOWNESS = Duration.ofMillis(50);
  private static final int HUGE = 5 * 1024 * 1024;

  private final AtomicInteger hangUps = new AtomicInteger();

  /** A default of the interface would hide what is behind. */
  @Test
  void shouldPassOnEveryCall() {
    assertThat(methods(FaultyDriver.class.getDeclaredMethods()))
        .containsAll(methods(Driver.class.getMethods()));
    assertThat(methods(FaultyAnswers.class.getDeclaredMethods()))
        .containsAll(methods(AgentAnswers.class.getMethods()));
  }

  private static List<String> methods(Method... all) {
    return Stream.of(all)
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .map(Method::getName)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, 'db-1,db-0'",
    "UNKNOWN_POD, 'db-1,db-0,no-such-pod-0'",
    "MISSING_POD, 'db-0'",
    "DUPLICATE_POD, 'db-1,db-0,db-1'",
  })
  void shouldFalsifyOnlyPodOrders(AgentFault fault, String order) {
    var answers = answers(fault);

    assertThat(answers.podOrder(SCENARIO_UPGRADE, PODS).names())
        .containsExactly(order.split(",", -1));
    assertThat(answers.groupOrder(SCENARIO_UPGRADE, List.of("b", "a")).names())
        .containsExactly("a", "b");
    assertThat(answers.role()).isEqualTo("replica");
  }

  @ParameterizedTest
  @EnumSource(names = {"UNKNOWN_POD", "MISSING_POD", "DUPLICATE_POD"})
  void shouldFalsifyAnEmptyOrder(AgentFault fault) {
    assertThat(answers(fault).podOrder(SCENARIO_UPGRADE, List.of()).names())
        .hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void shouldAnswerMoreThanClientsAccept() {
    var answers = answers(AgentFault.HUGE);

    assertThat(answers.role()).hasSize(HUGE);
    assertThat(answers.podOrder(SCENARIO_UPGRADE, PODS).names().getFirst()).hasSize(HUGE);
    assertThat(answers.groupOrder(SCENARIO_UPGRADE, PODS).names().getFirst()).hasSize(HUGE);
  }

  @Test
  void shouldAnswerLate() {
    var start = System.nanoTime();

    assertThat(answers(AgentFault.SLOW).role()).isEqualTo("replica");

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SLOWNESS);
  }

  @Test
  void shouldRefuseEveryCall() {
    var answers = answers(AgentFault.UNAVAILABLE);

    assertUnavailable(answers::role);
    assertUnavailable(() -> answers.podOrder(SCENARIO_UPGRADE, PODS));
    assertUnavailable(() -> answers.groupOrder(SCENARIO_UPGRADE, PODS));
  }

  @Test
  void shouldHangUpInEveryCall() {
    assertThat(answers(AgentFault.HANGS_UP).role()).isEqualTo("replica");
    assertThat(hangUps).hasValue(1);
    answers(AgentFault.HANGS_UP).podOrder(SCENARIO_UPGRADE, PODS);
    assertThat(hangUps).hasValue(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"HANGS_UP", "SWITCHOVER_HANGS_UP"})
  void shouldHangUpDuringASwitchover(AgentFault fault) {
    assertThatThrownBy(
        () -> answers(fault).driver().switchover(Optional.empty(), (m, percent) -> {}));

    assertThat(hangUps).hasValue(1);
  }

  @Test
  void shouldRefuseToSwitchOver() {
    assertThatThrownBy(
            () ->
                answers(AgentFault.SWITCHOVER_REFUSED)
                    .driver()
                    .switchover(Optional.empty(), (m, percent) -> {}))
        .hasMessageContaining("FAILED_PRECONDITION")
        .hasMessageContaining("no replica has caught up");
  }

  @Test
  void shouldNameTheParameterThatIsNotAccepted() {
    var parameters = Map.of("maxmemory", "64mb", "appendonly", "yes");

    assertThatThrownBy(
            () ->
                answers(AgentFault.RELOAD_REFUSED).driver().reload(parameters, (m, percent) -> {}))
        .hasMessageContaining("FAILED_PRECONDITION")
        .hasMessageContaining("appendonly");
  }

  @Test
  void shouldLetActionsOfThePluginFail() throws InterruptedException {
    assertThat(flush(AgentFault.ACTION_FAILS).exitCode()).isEqualTo(3);
    assertThat(flush(AgentFault.ACTION_HANGS)).isEqualTo(new ActionOutput(137, "", Map.of(), true));
    assertThatThrownBy(() -> flush(AgentFault.ACTION_REFUSED))
        .hasMessageContaining("FAILED_PRECONDITION")
        .hasMessageContaining("flush: not now");
    assertThatThrownBy(() -> flush(AgentFault.UNAVAILABLE)).hasMessageContaining("UNAVAILABLE");
  }

  private ActionOutput flush(AgentFault fault) throws InterruptedException {
    var request = new ActionRequest("flush", Map.of(), SLOWNESS, SLOWNESS);
    return answers(fault).driver().runAction(request, (message, percent) -> {});
  }

  @ParameterizedTest
  @EnumSource(names = {"SLOW", "SWITCHOVER_SLOW"})
  void shouldReportThatItWaits(AgentFault fault) {
    var messages = new ArrayList<String>();
    var start = System.nanoTime();

    assertThatThrownBy(
            () ->
                answers(fault)
                    .driver()
                    .switchover(Optional.empty(), (message, p) -> messages.add(message)))
        .hasMessageContaining("UNIMPLEMENTED");

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SLOWNESS);
    assertThat(messages).containsExactly("waiting (a fault set on the pod)");
  }

  private static void assertUnavailable(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining(Status.Code.UNAVAILABLE.name());
  }

  private FaultyAnswers answers(AgentFault fault) {
    var right = new ReplicationAnswers(new FixedReplication("db-1", "db-0"));
    return new FaultyAnswers(right, () -> fault, SLOWNESS, hangUps::incrementAndGet);
  }
}
