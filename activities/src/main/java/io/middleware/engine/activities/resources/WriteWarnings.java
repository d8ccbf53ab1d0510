package io.middleware.engine.activities.resources;

import static java.util.function.Predicate.not;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.cluster.status.EngineEvent;
import io.middleware.engine.cluster.status.EngineEvent.Kind;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.process.ApiWarnings;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import java.util.Optional;

/** Tells on the App what the API server has warned of when its objects were written. */
final class WriteWarnings {
  private final Optional<ApiWarnings> warnings;
  private final EventRecorder events;

  /**
   * @param client from which those that write are made
   */
  WriteWarnings(KubernetesClient client, EventRecorder events) {
    this.warnings = ApiWarnings.of(client);
    this.events = events;
  }

  /** An event for each warning of each object, once while the event is kept. */
  void report(App app, RenderedObjects written) {
    warnings.ifPresent(said -> written.inOrder().forEach(object -> report(app, object, said)));
  }

  private void report(App app, RenderedObject object, ApiWarnings said) {
    said.take(app.getMetadata().getNamespace(), object.name()).stream()
        .filter(not(String::isEmpty))
        .map(text -> "%s %s: %s".formatted(object.kind().kind(), object.name(), text))
        .forEach(
            note ->
                events.record(
                    app,
                    new EngineEvent(
                        "api-warning/" + note,
                        Kind.WARNING,
                        Reasons.API_SERVER_WARNING,
                        "Apply",
                        note)));
  }
}
