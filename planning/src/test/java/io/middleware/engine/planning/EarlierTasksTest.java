package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.api.task.TaskPhase;
import java.util.List;
import org.junit.jupiter.api.Test;

class EarlierTasksTest {
  private static final List<TaskStatus> TASKS =
      List.of(
          task("7-versionupgrade-a", "Done"),
          task("7-versionupgrade-b", "Done"),
          task("7-config-a", "Done", "7-versionupgrade-a", "7-versionupgrade-b"),
          task("7-resources-a", "Failed", "7-config-a"),
          task("7-resources-b", "Skipped", "7-resources-a"));

  @Test
  void shouldKeepWhatIsDoneOfTheSameGenerationInItsStages() {
    // When
    var earlier = EarlierTasks.of(app(7));
    // Then
    assertThat(earlier)
        .extracting(done -> done.task().id() + " " + done.task().stage())
        .containsExactly("7-versionupgrade-a 0", "7-versionupgrade-b 0", "7-config-a 1");
    assertThat(earlier)
        .allSatisfy(
            done -> {
              assertThat(done.phase()).isEqualTo(TaskPhase.DONE);
              assertThat(done.attempts()).isEqualTo(2);
              assertThat(done.startedAt()).hasToString("Optional[2026-11-21T10:00:00Z]");
            });
  }

  @Test
  void shouldForgetWhatAnotherGenerationDid() {
    assertThat(EarlierTasks.of(app(8))).isEmpty();
  }

  @Test
  void shouldKnowWhetherTheAppIsBackedUp() {
    assertThat(EarlierTasks.includeBackup(app(7))).isFalse();
    // When
    var app = app(7);
    app.setStatus(
        AppStatusBuilder.builder()
            .observedGeneration(7L)
            .acceptedGeneration(7L)
            .change(app.getStatus().change())
            .tasks(List.of(taskOf("Backup", "7-backup-cache", "Done")))
            .conditions(List.of())
            .build());
    // Then
    assertThat(EarlierTasks.includeBackup(app)).isTrue();
  }

  @Test
  void shouldKnowNothingOfANewApp() {
    // Given
    var app = app(7);
    app.setStatus(null);
    // Then
    assertThat(EarlierTasks.of(app)).isEmpty();
  }

  private static App app(long generation) {
    var app = new App();
    app.getMetadata().setGeneration(generation);
    var change =
        ChangeStatusBuilder.builder().generation(7L).runId("run-1").outcome("Failed").build();
    app.setStatus(
        AppStatusBuilder.builder()
            .observedGeneration(7L)
            .acceptedGeneration(7L)
            .change(change)
            .tasks(TASKS)
            .conditions(List.of())
            .build());
    return app;
  }

  private static TaskStatus task(String id, String status, String... dependencies) {
    return taskOf("Config", id, status, dependencies);
  }

  private static TaskStatus taskOf(String type, String id, String status, String... dependencies) {
    return new TaskStatus(
        id,
        type,
        "config",
        2,
        "a",
        List.of(dependencies),
        status,
        2,
        3,
        "10m",
        "2026-11-21T10:00:00Z",
        "2026-11-21T10:00:21Z",
        null,
        null,
        null);
  }
}
