package io.middleware.engine.watcher;

import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import io.middleware.engine.api.App;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Triggers reconciliation of Apps for reasons outside the cluster, and reports deleted Apps. */
final class AppEvents extends AbstractEventSource<Void, App> implements ResourceEventAware<App> {
  private final List<Consumer<ResourceID>> deletionListeners = new CopyOnWriteArrayList<>();

  private final WorkProgress progress;

  /**
   * @param progress of the events' way into the queue
   */
  AppEvents(WorkProgress progress) {
    super(Void.class, "app-events");
    this.progress = progress;
  }

  /** Requests that the App is reconciled again. */
  void trigger(ResourceID app) {
    if (isRunning()) {
      progress.during(
          () -> {
            getEventHandler().handleEvent(new Event(app));
            return app;
          });
    }
  }

  /** Calls the listener for each App that is gone, however it was deleted. */
  void onDeletion(Consumer<ResourceID> listener) {
    deletionListeners.add(listener);
  }

  @Override
  public void onResourceDeleted(App app) {
    deletionListeners.forEach(listener -> listener.accept(ResourceID.fromResource(app)));
  }

  @Override
  public Set<Void> getSecondaryResources(App app) {
    return Set.of();
  }
}
