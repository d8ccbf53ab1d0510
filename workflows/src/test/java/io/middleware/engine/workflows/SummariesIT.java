package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.ID;
import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.HookPoint;
import io.middleware.engine.api.task.TaskHook;
import io.middleware.engine.api.task.TaskHooks;
import io.middleware.engine.workflows.history.Histories;
import io.middleware.engine.workflows.temporal.NamedTimer;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.common.converter.DefaultDataConverter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every event that the Web UI shows has a summary of its purpose. */
class SummariesIT {
  private static final int LONGEST = 200;
  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-");
  private static final Set<EventType> SUMMARISED =
      Set.of(
          EventType.EVENT_TYPE_TIMER_STARTED,
          EventType.EVENT_TYPE_MARKER_RECORDED,
          EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED);

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(true);

  @BeforeEach
  void makeTheSecondTaskFailOnce() {
    env.cluster.planner =
        change -> Plans.undoing(7, ChangeType.CONFIG, Plans.ROLLBACK, "sentinel", "nodes");
    env.cluster.fault =
        operation ->
            operation.equals("replace s0-0") && env.isFirst(operation)
                ? Plans.fails(FaultKind.CONFLICT, "taken")
                : null;
  }

  @Test
  void shouldSummariseEveryEvent() {
    // When
    env.change(7);
    assertThat(env.result()).isEqualTo("Succeeded");
    // Then
    var summaries = Stream.of("", "/7/7-config-nodes").flatMap(this::summaries).toList();
    assertThat(summaries).allSatisfy(SummariesIT::assertReadable);
    assertThat(new TreeSet<>(summaries))
        .contains(
            "plan generation 7",
            "time limit of 7-config-sentinel: 30 s",
            "retry of 7-config-nodes in 1 s (attempt 2 of 3)",
            "status: 0 of 2 tasks done",
            "status: 1 of 2 tasks done",
            "status: Succeeded",
            "open component nodes",
            "settle component nodes",
            "apply shard-0",
            "replace pod s0-0",
            "check pods of shard-0",
            "wait until pods of shard-0 are ready");
  }

  @Test
  void shouldNameHookActionAndGroup() {
    // Given
    var hook = Optional.of(new TaskHook(HookPoint.AFTER_UPGRADE, "snapshot"));
    env.cluster.planner =
        Plans.hooked(
            new TaskHooks(Optional.empty(), hook),
            change -> Plans.inTurn(7, ChangeType.VERSION_UPGRADE, "sentinel"));
    // When
    env.change(7);
    assertThat(env.result()).isEqualTo("Succeeded");
    // Then
    assertThat(summaries("/7/7-versionupgrade-sentinel"))
        .contains("afterUpgrade: run snapshot on all");
  }

  @ParameterizedTest
  @MethodSource("io.middleware.engine.workflows.history.ReplayIT#histories")
  void shouldSummariseEveryRecordedEvent(Path history) throws IOException {
    // When
    var events = Histories.read(history).getEvents();
    // Then
    assertThat(events.stream().filter(it -> SUMMARISED.contains(it.getEventType())))
        .filteredOn(it -> !isVersion(it))
        .map(SummariesIT::summary)
        .allSatisfy(SummariesIT::assertReadable);
  }

  /** The SDK's own marker of {@code getVersion}, which takes no summary. */
  private static boolean isVersion(HistoryEvent event) {
    return event.getMarkerRecordedEventAttributes().getMarkerName().equals("Version");
  }

  private static void assertReadable(String summary) {
    assertThat(summary)
        .isNotBlank()
        .doesNotContainPattern(UUID)
        .matches(it -> it.getBytes(StandardCharsets.UTF_8).length <= LONGEST);
  }

  @Test
  void shouldSummariseEveryChildWorkflow() {
    // Given
    env.cluster.planner = Plans.apart(env.cluster.planner);
    // When
    env.change(7);
    assertThat(env.result()).isEqualTo("Succeeded");
    // Then
    assertThat(started("/7/7-config-nodes")).isEqualTo("Config nodes: Config of nodes");
    assertThat(started("/7/7-config-nodes/shard-0")).isEqualTo("Config nodes/shard-0");
  }

  @Test
  void shouldNameWhatARunWithoutARequestWaitsFor() {
    // When
    env.start(ID, "AppChangeWorkflow", new Object[] {null});
    env.result();
    // Then
    assertThat(summaries("")).containsExactly("wait for a generation to carry out: at most 1 min");
  }

  @Test
  void shouldNameThePauseBetweenTriesToPlan() {
    // Given
    var faults = new ArrayList<>(List.of("plan 7"));
    env.cluster.fault =
        operation ->
            faults.remove(operation) ? Plans.fails(FaultKind.CONFLICT, "API server away") : null;
    // When
    env.change(request(7));
    env.result();
    // Then
    assertThat(summaries("")).contains("retry of planning in 5 s", "status: planning generation 7");
  }

  static Stream<Map.Entry<Duration, String>> durations() {
    return Stream.of(
        Map.entry(Duration.ofMillis(400), "400 ms"),
        Map.entry(Duration.ofSeconds(4), "4 s"),
        Map.entry(Duration.ofMinutes(5), "5 min"),
        Map.entry(Duration.ofSeconds(3690).plusMillis(20), "1 h 1 min 30 s"));
  }

  @Test
  void shouldWriteDurationsForPeople() {
    assertThat(durations())
        .allSatisfy(it -> assertThat(NamedTimer.format(it.getKey())).isEqualTo(it.getValue()));
  }

  private Stream<String> summaries(String child) {
    return env.history(child)
        .filter(event -> SUMMARISED.contains(event.getEventType()))
        .map(SummariesIT::summary);
  }

  /** The in-memory server keeps a child's summary in the child's own history only. */
  private String started(String child) {
    return env.history(child).findFirst().map(SummariesIT::summary).orElseThrow();
  }

  private static String summary(HistoryEvent event) {
    return event.getUserMetadata().hasSummary()
        ? DefaultDataConverter.newDefaultInstance()
            .fromPayload(event.getUserMetadata().getSummary(), String.class, String.class)
        : "";
  }
}
