package io.middleware.engine.worker;

import io.middleware.engine.process.EngineSettings.WorkerSettings;
import io.middleware.engine.process.settings.SettingsException;
import io.temporal.common.VersioningBehavior;
import io.temporal.common.WorkerDeploymentVersion;
import io.temporal.worker.WorkerDeploymentOptions;
import io.temporal.worker.WorkerOptions;
import java.util.Map;
import java.util.Optional;

/**
 * The version of a worker among those that run beside each other while the engine is replaced. A
 * run is pinned: only workers of the version that began it carry it on, with all its steps.
 */
final class WorkerVersion {
  private static final String DEPLOYMENT = "TEMPORAL_DEPLOYMENT_NAME";
  private static final String BUILD_ID = "TEMPORAL_WORKER_BUILD_ID";

  private final Optional<WorkerDeploymentVersion> version;

  private WorkerVersion(Optional<WorkerDeploymentVersion> version) {
    this.version = version;
  }

  /**
   * @param environment has the variables that Temporal's worker controller sets
   * @throws SettingsException when only one of deployment and version is given
   */
  static WorkerVersion of(WorkerSettings settings, Map<String, String> environment) {
    var deployment = either(settings.deployment(), environment.get(DEPLOYMENT));
    var buildId = either(settings.buildId(), environment.get(BUILD_ID));
    if (deployment.isEmpty() != buildId.isEmpty()) {
      throw new SettingsException(
          deployment.isEmpty()
              ? "worker.buildId is %s, but worker.deployment (or %s) is empty: set both or none"
                  .formatted(buildId, DEPLOYMENT)
              : "worker.deployment is %s, but worker.buildId (or %s) is empty: set both or none"
                  .formatted(deployment, BUILD_ID));
    }
    return new WorkerVersion(
        Optional.of(deployment)
            .filter(name -> !name.isEmpty())
            .map(name -> new WorkerDeploymentVersion(name, buildId)));
  }

  private static String either(String setting, String variable) {
    return setting.isEmpty() && variable != null ? variable : setting;
  }

  /** The options of a worker of this version; unchanged without one. */
  WorkerOptions in(WorkerOptions options) {
    return version
        .map(
            of ->
                WorkerOptions.newBuilder(options)
                    .setDeploymentOptions(
                        WorkerDeploymentOptions.newBuilder()
                            .setUseVersioning(true)
                            .setVersion(of)
                            .setDefaultVersioningBehavior(VersioningBehavior.PINNED)
                            .build())
                    .build())
        .orElse(options);
  }
}
