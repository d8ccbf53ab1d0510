package io.middleware.engine.activities.actions;

import io.middleware.engine.activities.pods.ActionProgress;
import io.middleware.engine.api.task.HookPoint;
import java.util.Optional;

/** Says with each message which hook it is about. */
record HookProgress(HookPoint hook, ActionProgress progress) implements ActionProgress {

  /** The progress of a hook's action, or of another one. */
  static ActionProgress of(Optional<HookPoint> hook, ActionProgress progress) {
    return hook.<ActionProgress>map(point -> new HookProgress(point, progress)).orElse(progress);
  }

  @Override
  public void accept(String message) {
    progress.accept("%s (hook %s)".formatted(message, hook.label()));
  }

  @Override
  public void done() {
    progress.done();
  }
}
