package io.middleware.engine.activities.members;

import io.middleware.engine.activities.pods.ActionProgress;
import io.middleware.engine.workflows.port.MemberMove;

/** Says with each message which member it is about. */
record MoveProgress(MemberMove move, ActionProgress progress) implements ActionProgress {

  @Override
  public void accept(String message) {
    progress.accept("%s (%s)".formatted(message, move.position()));
  }

  @Override
  public void done() {
    progress.done();
  }
}
