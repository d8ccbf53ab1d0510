package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.RetryRequest;

/** What a workflow is told. */
public record ChangeSignal(ChangeRequest request, Cause cause) {

  /** Why it is told. */
  public enum Cause {
    EDIT,
    DELETION,
    LOST_RUN,
    RETRY
  }

  /** The App's generation once more, for these tasks. */
  public static ChangeSignal again(App app, RetryRequest tasks) {
    return new ChangeSignal(RequestedChange.request(app).again(tasks), Cause.RETRY);
  }
}
