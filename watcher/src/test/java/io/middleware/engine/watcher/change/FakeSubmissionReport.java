package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Records what an App was told of its submission. */
final class FakeSubmissionReport implements SubmissionReport {
  final List<String> late = new ArrayList<>();
  int arrived;

  @Override
  public void late(App app, Instant since, String cause) {
    late.add("%d since %s: %s".formatted(app.getMetadata().getGeneration(), since, cause));
  }

  @Override
  public void arrived(App app) {
    arrived++;
  }
}
