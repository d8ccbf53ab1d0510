package io.middleware.engine.watcher.change;

import io.middleware.engine.api.App;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.OperationRequest;
import io.middleware.engine.workflows.request.RetryRequest;

/** The signal to a workflow: the requested change and the cause of the signal. */
public record ChangeSignal(ChangeRequest request, SignalCause cause) {

  /** Why the signal is sent; the metric {@code middleware.changes.signalled} counts by it. */
  public enum SignalCause {
    EDIT,
    DELETION,
    LOST_RUN,
    RETRY,
    REPLAN,
    OPERATION
  }

  /** The App's generation again, which was rejected. */
  public static ChangeSignal replan(App app) {
    return new ChangeSignal(RequestedChange.request(app), SignalCause.REPLAN);
  }

  /**
   * An Operation on the App as it is deployed, and the edit or deletion that waits for it; none
   * waits for an Operation that excludes nothing.
   */
  public static ChangeSignal operation(App app, OperationRef operation) {
    var newest = RequestedChange.request(app);
    if (operation.shared()) {
      return new ChangeSignal(newest.of(new OperationRequest(operation)), SignalCause.OPERATION);
    }
    var deployed = newest.at(app.getStatus().change().generation());
    var request = new OperationRequest(operation);
    var waits = newest.deleted() || newest.generation() > deployed.generation();
    return new ChangeSignal(
        deployed.of(waits ? request.and(newest) : request), SignalCause.OPERATION);
  }

  /** The App's generation again, for a run that is open although it has been carried out. */
  public static ChangeSignal again(App app) {
    return new ChangeSignal(
        RequestedChange.request(app).again(RetryRequest.all()), SignalCause.LOST_RUN);
  }

  /** The App's generation again, for the tasks to retry. */
  public static ChangeSignal retry(App app, RetryRequest tasks) {
    return new ChangeSignal(RequestedChange.request(app).again(tasks), SignalCause.RETRY);
  }
}
