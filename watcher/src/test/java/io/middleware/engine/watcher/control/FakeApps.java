package io.middleware.engine.watcher.control;

import io.middleware.engine.api.App;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** One App, as the API server has it. */
final class FakeApps implements ControlledApps {
  final List<ControlOutcome> outcomes = new ArrayList<>();
  App app;
  int reads;

  FakeApps(App app) {
    this.app = app;
  }

  @Override
  public Optional<App> read(App cached) {
    reads++;
    return Optional.ofNullable(app);
  }

  @Override
  public void publish(App about, ControlOutcome outcome) {
    outcomes.add(outcome);
  }

  @Override
  public void remove(App about, String annotation) {
    var remaining = new HashMap<>(app.getMetadata().getAnnotations());
    remaining.remove(annotation, about.getMetadata().getAnnotations().get(annotation));
    app.getMetadata().setAnnotations(remaining);
  }
}
