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

/** What happens to Apps beside what is read of the cluster. */
final class AppEvents extends AbstractEventSource<Void, App> implements ResourceEventAware<App> {
  private final List<Consumer<ResourceID>> mourners = new CopyOnWriteArrayList<>();

  AppEvents() {
    super(Void.class, "news");
  }

  /** The App is looked at again. */
  void tell(ResourceID app) {
    if (isRunning()) {
      getEventHandler().handleEvent(new Event(app));
    }
  }

  /** Tells of each App that is gone, however it went. */
  void whenGone(Consumer<ResourceID> mourner) {
    mourners.add(mourner);
  }

  @Override
  public void onResourceDeleted(App app) {
    mourners.forEach(mourner -> mourner.accept(ResourceID.fromResource(app)));
  }

  @Override
  public Set<Void> getSecondaryResources(App app) {
    return Set.of();
  }
}
