package io.middleware.engine.cluster.status;

import static io.middleware.engine.api.task.TaskPhase.DONE;
import static io.middleware.engine.api.task.TaskPhase.FAILED;
import static io.middleware.engine.api.task.TaskPhase.IN_PROGRESS;
import static io.middleware.engine.api.task.TaskPhase.PENDING;
import static io.middleware.engine.cluster.status.Progress.LATER;
import static io.middleware.engine.cluster.status.Progress.START;
import static io.middleware.engine.cluster.status.Progress.app;
import static io.middleware.engine.cluster.status.Progress.fresh;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.check.CheckResult;
import io.middleware.engine.api.task.TaskChecks;
import io.middleware.engine.workflows.port.TaskProgress;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The first task of a change has the checks in-sync, of each group, and complete. */
class CheckedTasksTest {
  private static final String TASK = "7-versionupgrade-sentinel";
  private static final CheckResult PASSED =
      new CheckResult("in-sync", "shard-0", true, "lag = 0", null, "2026-11-21T10:00:20Z");
  private static final CheckResult LAGS =
      new CheckResult("in-sync", "shard-1", false, "lag = 5", "too far", "2026-11-21T10:00:21Z");

  @Test
  void shouldShowWhichChecksWillFollow() {
    assertThat(checks(checked().status(app(null))))
        .containsExactly(CheckResult.planned("in-sync"), CheckResult.planned("complete"));
    assertThat(fresh().status(app(null)).tasks().getFirst().checks()).isNull();
  }

  @Test
  void shouldKeepWhatIsDecidedWhenTheProgressIsReported() {
    // Given
    var begun = checked().move(0, IN_PROGRESS, START);
    var decided = CheckedTasks.with(begun.status(app(null)), TASK, List.of(PASSED));
    // When
    var after = begun.move(0, DONE, LATER).status(app(decided));
    // Then
    assertThat(checks(after)).containsExactly(CheckResult.planned("complete"), PASSED);
  }

  @Test
  void shouldReplaceTheResultOfTheSameCheckOfTheSameGroup() {
    // Given
    var begun = checked().move(0, IN_PROGRESS, START).status(app(null));
    var once = CheckedTasks.with(begun, TASK, List.of(PASSED, LAGS));
    var again = new CheckResult("in-sync", "shard-1", true, "lag = 1", null, "later");
    // When Then
    assertThat(checks(CheckedTasks.with(once, TASK, List.of(again))))
        .containsExactly(CheckResult.planned("complete"), PASSED, again);
  }

  @Test
  void shouldForgetWhatWasDecidedWhenTheTaskBeginsAnew() {
    // Given
    var failed =
        checked()
            .move(0, IN_PROGRESS, START)
            .fault(0, "CheckFailed", "too far")
            .move(0, FAILED, LATER);
    var decided = CheckedTasks.with(failed.status(app(null)), TASK, List.of(LAGS));
    // When
    var pending = failed.move(0, PENDING, LATER);
    // Then
    assertThat(checks(pending.status(app(decided)))).allMatch(it -> it.passed() == null);
    assertThat(checks(pending.move(0, IN_PROGRESS, LATER).status(app(decided))))
        .allMatch(it -> it.passed() == null);
  }

  @Test
  void shouldKeepTheNewestOfManyResults() {
    // Given
    var begun = checked().move(0, IN_PROGRESS, START).status(app(null));
    var many =
        IntStream.range(0, 70)
            .mapToObj(i -> new CheckResult("in-sync", "g-" + i, true, "", null, ""))
            .toList();
    // When
    var shown = checks(CheckedTasks.with(begun, TASK, many));
    // Then
    assertThat(shown).hasSize(64).endsWith(many.getLast());
  }

  @Test
  void shouldShowWhatIsNewOfChecksBesideTheTaskInWork() {
    // Given
    var begun = checked().move(0, IN_PROGRESS, START).status(app(null));
    var first = new CheckResult("serves", null, true, "3 of 3", null, "10:00", 0);
    var same = new CheckResult("serves", null, true, "2 of 3", null, "10:10", 0);
    var worse = new CheckResult("serves", null, false, "1 of 3", "too few", "10:20", 1);
    assertThat(CheckedTasks.show(begun, "sentinel", List.of(first))).isFalse();
    // When
    var shown = CheckedTasks.background(begun, "sentinel", List.of(first));
    // Then
    assertThat(checks(shown)).endsWith(first);
    assertThat(CheckedTasks.show(shown, "sentinel", List.of(same))).isTrue();
    assertThat(CheckedTasks.background(shown, "sentinel", List.of(same))).isEqualTo(shown);
    assertThat(checks(CheckedTasks.background(shown, "sentinel", List.of(worse))))
        .endsWith(worse)
        .doesNotContain(first);
  }

  @Test
  void shouldNotShowChecksBesideOtherTasks() {
    // Given
    var pending = checked().status(app(null));
    var result = new CheckResult("serves", null, true, "3 of 3", null, "10:00", 0);
    // When Then
    assertThat(CheckedTasks.background(pending, "sentinel", List.of(result))).isEqualTo(pending);
    assertThat(CheckedTasks.show(pending, "sentinel", List.of(result))).isTrue();
  }

  private static List<CheckResult> checks(AppStatus status) {
    return status.tasks().getFirst().checks();
  }

  private static Progress checked() {
    var checks = new TaskChecks(List.of("in-sync"), List.of("complete"));
    var task = fresh().tasks().getFirst().task().checkedBy(checks);
    return fresh().with(0, TaskProgress.of(task));
  }
}
