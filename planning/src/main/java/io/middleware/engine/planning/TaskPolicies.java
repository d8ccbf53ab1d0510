package io.middleware.engine.planning;

import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.backup.BackupSpec;
import io.middleware.engine.api.change.ChangeSettings;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.TypePolicy;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.api.task.TaskPolicy;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.planning.operation.OperationTargets;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Timeouts and retries of tasks: set by the App, otherwise by its plugin, otherwise by the engine's
 * settings.
 */
public final class TaskPolicies {
  /** For its beginning and its end, so that its own time limit is met first and says more. */
  private static final Duration AROUND_A_BACKUP = Duration.ofMinutes(5);

  private final TaskPolicy tasks;
  private final RollingPolicy rolling;

  /** Takes the defaults for Apps and plugins that set no policy. */
  public TaskPolicies(TaskPolicy tasks, RollingPolicy rolling) {
    this.tasks = tasks;
    this.rolling = rolling;
  }

  TaskPolicy of(ChangeType type, Optional<ChangeSettings> app, Optional<PluginSpec> plugin) {
    var ofPlugin = plugin.map(PluginSpec::policies).map(policies -> policies.get(type.label()));
    var timeout =
        first(
            app.map(ChangeSettings::timeouts).map(timeouts -> timeouts.get(type.label())),
            ofPlugin.map(TypePolicy::timeout));
    return new TaskPolicy(
        timeout.filter(Duration::isPositive).orElse(tasks.timeout()),
        app.map(ChangeSettings::maxRetries)
            .or(() -> ofPlugin.map(TypePolicy::maxRetries))
            .orElse(tasks.maxRetries()),
        first(app.map(ChangeSettings::retryBackoff)).orElse(tasks.retryBackoff()));
  }

  /** The policy of a backup before an upgrade: there is time for all of the backup. */
  TaskPolicy ofBackup(BackupSettings backup, Optional<ChangeSettings> app) {
    var otherwise = of(ChangeType.BACKUP, app, Optional.empty());
    var limit = first(Optional.ofNullable(backup.timeout())).orElse(BackupSpec.DEFAULT_TIMEOUT);
    return new TaskPolicy(
        limit.plus(AROUND_A_BACKUP), otherwise.maxRetries(), otherwise.retryBackoff());
  }

  /**
   * The policy of an Operation's tasks: its own, otherwise this one. A grace comes on top of it.
   */
  static TaskPolicy of(Operation operation, TaskPolicy otherwise) {
    var spec = operation.getSpec();
    var timeout =
        first(Optional.ofNullable(spec.timeout()))
            .filter(Duration::isPositive)
            .orElse(otherwise.timeout());
    return new TaskPolicy(
        spec.action() == OperationAction.ROTATE_SECRETS
            ? timeout.plus(OperationTargets.grace(operation))
            : timeout,
        Optional.ofNullable(spec.maxRetries()).orElse(otherwise.maxRetries()),
        otherwise.retryBackoff());
  }

  RollingPolicy rolling(Optional<ChangeSettings> app) {
    return new RollingPolicy(
        app.map(ChangeSettings::batchSize).orElse(rolling.batchSize()),
        first(app.map(ChangeSettings::interval)).orElse(rolling.interval()));
  }

  @SafeVarargs
  private static Optional<Duration> first(Optional<String>... texts) {
    return Stream.of(texts).flatMap(Optional::stream).findFirst().flatMap(SpecDurations::parse);
  }
}
