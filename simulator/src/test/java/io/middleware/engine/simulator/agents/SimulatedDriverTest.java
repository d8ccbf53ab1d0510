package io.middleware.engine.simulator.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.replication.GroupMember;
import io.middleware.engine.agent.replication.GroupMember.Health;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SimulatedDriverTest {
  private static final GroupKey KEY = new GroupKey("shop", "cache", "db", "g");

  private final SimulatedGroup group = new SimulatedGroup();

  @Test
  void shouldSwitchOverToAPodThatIsReadyInAMoment() throws Exception {
    // Given
    group.observe(List.of(pod(0, Health.READY), pod(1, Health.STARTING)));
    var primary = new SimulatedDriver(group, "uid-0", annotation -> {}, Duration.ofMinutes(4));
    Callable<Optional<String>> switchover =
        () -> primary.switchover(Optional.empty(), (step, percent) -> {});
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      // When
      var running = threads.submit(switchover);
      assertThat(running).isNotDone();
      group.observe(List.of(pod(0, Health.READY), pod(1, Health.READY)));
      // Then
      assertThat(running.get(4, TimeUnit.MINUTES)).contains("db-1");
    }
  }

  @Test
  void shouldRecordTheActionsOfThePluginThatItRuns() {
    // Given
    group.observe(List.of(pod(0, Health.READY)));
    var annotations = new ArrayList<PodAnnotation>();
    var driver = new SimulatedDriver(group, "uid-0", annotations::add);
    var request =
        new ActionRequest("flush", Map.of("db", "0"), Duration.ofMinutes(1), Duration.ZERO);
    // When
    driver.runAction(request, (step, percent) -> {});
    var output = driver.runAction(request, (step, percent) -> {});
    // Then
    assertThat(output).isEqualTo(new ActionOutput(0, "db=0\n", Map.of("pod", "db-0")));
    assertThat(annotations)
        .extracting(PodAnnotation::value)
        .containsExactly("1 flush db=0", "2 flush db=0");
  }

  @Test
  void shouldSwitchOverToTheNamedPodOnly() throws Exception {
    // Given
    group.observe(List.of(pod(0, Health.READY), pod(1, Health.READY), pod(2, Health.READY)));
    var driver = new SimulatedDriver(group, "uid-0", annotation -> {});
    // When Then
    assertThatThrownBy(() -> driver.switchover(Optional.of("db-7"), (step, percent) -> {}))
        .hasMessageContaining(
            "FAILED_PRECONDITION: pod db-7 is not a ready replica of the group, so it cannot take "
                + "over");
    assertThat(driver.switchover(Optional.of("db-2"), (step, percent) -> {})).contains("db-2");
    // and again
    var successor = new SimulatedDriver(group, "uid-2", annotation -> {});
    assertThat(successor.switchover(Optional.of("db-2"), (step, percent) -> {})).contains("db-2");
  }

  @Test
  void shouldBeAsFarBehindAsItsPodSays() {
    // Given
    var member = new GroupMember("uid-1", "db-1", Instant.EPOCH, Health.READY, false);
    group.observe(
        List.of(
            pod(0, Health.READY),
            new SimulatedPod(
                KEY, member, Optional.empty(), AgentFault.NONE, "replica", "5242880")));
    var driver = new SimulatedDriver(group, "uid-1", annotation -> {});
    // When Then
    assertThat(driver.measure("lag")).isEqualTo("5242880");
    assertThat(new SimulatedDriver(group, "uid-0", annotation -> {}).measure("lag")).isEqualTo("0");
    assertThatThrownBy(() -> driver.measure("speed"))
        .hasMessageContaining("FAILED_PRECONDITION: this agent does not know the question speed");
  }

  private static SimulatedPod pod(int number, Health health) {
    var member = new GroupMember("uid-" + number, "db-" + number, Instant.EPOCH, health, false);
    return new SimulatedPod(KEY, member, Optional.empty(), AgentFault.NONE, "replica", "0");
  }
}
