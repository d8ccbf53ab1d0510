package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import io.middleware.engine.workflows.ChangeRequest;
import io.middleware.engine.workflows.RetryRequest;

/** What a workflow is told. */
public record Signal(ChangeRequest request, Cause cause) {

  /** Why it is told. */
  public enum Cause {
    EDIT,
    DELETION,
    LOST_RUN,
    RETRY
  }

  /** The App's generation once more, for these tasks. */
  public static Signal again(App app, RetryRequest tasks) {
    return new Signal(Wish.request(app).again(tasks), Cause.RETRY);
  }
}
