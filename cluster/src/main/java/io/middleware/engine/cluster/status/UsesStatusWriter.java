package io.middleware.engine.cluster.status;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.cluster.status.AppStatusWriter.Part;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Map;
import java.util.Optional;

/**
 * Shows in an App's status what other Apps were when it was planned, by which the watcher sees that
 * they have changed since. Only the run that holds the run lock writes.
 */
public final class UsesStatusWriter {
  private static final String MANAGER = "middleware-uses";

  private final AppStatusWriter writer;

  /**
   * @param client with the engine's own rights
   */
  public UsesStatusWriter(KubernetesClient client) {
    this.writer =
        new AppStatusWriter(
            client,
            new Part(MANAGER, status -> part(status.usedGenerations())),
            (app, event) -> {});
  }

  /**
   * Writes nothing when the App shows it already, or another run holds the run lock. May be
   * repeated.
   *
   * @param app as it was read
   * @param generations by App that is used
   */
  public void show(ChangeRef change, App app, Map<String, Long> generations) {
    var shown = Optional.ofNullable(app.getStatus()).map(AppStatus::usedGenerations);
    if (!generations.equals(shown.orElse(Map.of()))) {
      writer.write(AppId.of(app), now -> held(change, now).map(lock -> part(generations)));
    }
  }

  private static Optional<ChangeStatus> held(ChangeRef change, App app) {
    return Optional.ofNullable(app.getStatus())
        .map(AppStatus::change)
        .filter(lock -> change.runId().equals(lock.runId()));
  }

  private static AppStatus part(Map<String, Long> generations) {
    return AppStatusBuilder.builder()
        .usedGenerations(generations == null || generations.isEmpty() ? null : generations)
        .build();
  }
}
