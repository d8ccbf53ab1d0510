package io.middleware.engine.watcher;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.processing.Controller;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Map;

/**
 * Says of each reconciliation that it has begun before it says that it has finished. The operator
 * library leaves that out for an object that is gone when its turn comes. Then the queue would seem
 * to be longer by one for ever, and the running ones fewer.
 *
 * @param metrics that count
 */
record BalancedMetrics(Metrics metrics, ThreadLocal<Boolean> begun) implements Metrics {
  BalancedMetrics(Metrics metrics) {
    this(metrics, new ThreadLocal<>());
  }

  @Override
  public void controllerRegistered(Controller<? extends HasMetadata> controller) {
    metrics.controllerRegistered(controller);
  }

  @Override
  public void eventReceived(Event event, Map<String, Object> metadata) {
    metrics.eventReceived(event, metadata);
  }

  @Override
  public void reconciliationSubmitted(
      HasMetadata object, RetryInfo retry, Map<String, Object> metadata) {
    metrics.reconciliationSubmitted(object, retry, metadata);
  }

  @Override
  public void reconciliationStarted(HasMetadata object, Map<String, Object> metadata) {
    begun.set(true);
    metrics.reconciliationStarted(object, metadata);
  }

  @Override
  public void reconciliationFailed(
      HasMetadata object, RetryInfo retry, Exception failure, Map<String, Object> metadata) {
    metrics.reconciliationFailed(object, retry, failure, metadata);
  }

  @Override
  public void reconciliationSucceeded(HasMetadata object, Map<String, Object> metadata) {
    metrics.reconciliationSucceeded(object, metadata);
  }

  /** In the thread in which it has begun. */
  @Override
  public void reconciliationFinished(
      HasMetadata object, RetryInfo retry, Map<String, Object> metadata) {
    if (begun.get() == null) {
      metrics.reconciliationStarted(object, metadata);
    }
    begun.remove();
    metrics.reconciliationFinished(object, retry, metadata);
  }

  @Override
  public void cleanupDone(ResourceID id, Map<String, Object> metadata) {
    metrics.cleanupDone(id, metadata);
  }

  @Override
  public <T> T timeControllerExecution(ControllerExecution<T> execution) throws Exception {
    return metrics.timeControllerExecution(execution);
  }
}
