package io.middleware.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.settings.ProcessArguments;
import io.middleware.engine.process.settings.SettingsException;
import io.temporal.common.VersioningBehavior;
import io.temporal.common.WorkerDeploymentVersion;
import io.temporal.worker.WorkerOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerVersionTest {
  private static final WorkerOptions PLAIN =
      WorkerOptions.newBuilder().setMaxConcurrentActivityExecutionSize(7).build();

  @Test
  void shouldHaveNoVersionWithoutADeployment() {
    assertThat(version(Map.of()).in(PLAIN)).isSameAs(PLAIN);
  }

  @Test
  void shouldPinRunsToTheVersionOfTheSettings() {
    // When
    var options =
        version(Map.of(), "--worker-deployment", "engine", "--worker-build-id", "1.0").in(PLAIN);
    // Then
    assertThat(options.getMaxConcurrentActivityExecutionSize()).isEqualTo(7);
    assertThat(options.getDeploymentOptions().isUsingVersioning()).isTrue();
    assertThat(options.getDeploymentOptions().getVersion())
        .isEqualTo(new WorkerDeploymentVersion("engine", "1.0"));
    assertThat(options.getDeploymentOptions().getDefaultVersioningBehavior())
        .isEqualTo(VersioningBehavior.PINNED);
  }

  @Test
  void shouldTakeTheVersionThatTheWorkerControllerGives() {
    var given =
        Map.of("TEMPORAL_DEPLOYMENT_NAME", "mw/engine", "TEMPORAL_WORKER_BUILD_ID", "abc-1");
    assertThat(version(given).in(PLAIN).getDeploymentOptions().getVersion())
        .isEqualTo(new WorkerDeploymentVersion("mw/engine", "abc-1"));
    assertThat(
            version(given, "--worker-build-id", "mine")
                .in(PLAIN)
                .getDeploymentOptions()
                .getVersion()
                .getBuildId())
        .isEqualTo("mine");
  }

  @Test
  void shouldRefuseOneWithoutTheOther() {
    assertThatThrownBy(() -> version(Map.of(), "--worker-deployment", "engine"))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("worker.deployment is engine, but worker.buildId");
    assertThatThrownBy(() -> version(Map.of("TEMPORAL_WORKER_BUILD_ID", "1")))
        .hasMessageContaining("worker.buildId is 1, but worker.deployment");
  }

  private static WorkerVersion version(Map<String, String> environment, String... arguments) {
    var settings = EngineSettings.read(new ProcessArguments(List.of(arguments), Map.of()));
    return WorkerVersion.of(settings.worker(), environment);
  }
}
