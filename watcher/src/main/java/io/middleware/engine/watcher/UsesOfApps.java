package io.middleware.engine.watcher;

import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.UsedComponent;
import io.middleware.engine.watcher.change.AppUses;
import io.middleware.engine.watcher.change.RequestedChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Which Apps use which, and whether those have changed since the plan that went by them. */
final class UsesOfApps implements AppUses {
  private static final String USED = "used";
  private static final String REFUSED = "refused";

  private final Consumer<ResourceID> reconcile;
  private volatile Optional<IndexerResourceCache<App>> apps = Optional.empty();

  /**
   * @param reconcile requests another reconciliation
   */
  UsesOfApps(Consumer<ResourceID> reconcile) {
    this.reconcile = reconcile;
  }

  /** Begins to look Apps up in the cache; has no event sources of its own. */
  List<EventSource<?, App>> sources(EventSourceContext<App> context) {
    var cache = context.getPrimaryCache();
    cache.addIndexer(USED, app -> uses(app).map(used -> key(app, used)).distinct().toList());
    cache.addIndexer(
        REFUSED, app -> isRefused(app) ? List.of(app.getMetadata().getNamespace()) : List.of());
    apps = Optional.of(cache);
    return List.of();
  }

  /**
   * The App has perhaps carried out another generation: those that use it are planned again. Or it
   * has let go of one: that is deleted now.
   */
  void observed(App app) {
    Stream.concat(
            users(app).filter(this::goesBehind),
            isRefused(app) ? Stream.empty() : free(app)) // two such Apps would wake each other
        .map(ResourceID::fromResource)
        .forEach(reconcile);
  }

  private boolean goesBehind(App user) {
    return RequestedChange.again(user).isPresent() && areOutdated(user);
  }

  @Override
  public boolean hold(App app) {
    return users(app).anyMatch(user -> !user.isMarkedForDeletion());
  }

  /** Those of its namespace whose deletion was refused and that no other App uses any more. */
  private Stream<App> free(App app) {
    return apps.stream()
        .flatMap(cache -> cache.byIndex(REFUSED, app.getMetadata().getNamespace()).stream())
        .filter(refused -> !hold(refused));
  }

  private static boolean isRefused(App app) {
    return app.isMarkedForDeletion() && RequestedChange.isRejected(app);
  }

  private Stream<App> users(App app) {
    return apps.stream()
        .flatMap(cache -> cache.byIndex(USED, key(app, app.getMetadata().getName())).stream())
        .filter(user -> !isSame(user, app));
  }

  @Override
  public boolean areOutdated(App app) {
    var known =
        Optional.ofNullable(app.getStatus()).map(AppStatus::usedGenerations).orElse(Map.of());
    return uses(app)
        .distinct()
        .anyMatch(
            name ->
                generation(app, name)
                    .filter(generation -> !generation.equals(known.get(name)))
                    .isPresent());
  }

  /** Empty while its last change has not succeeded: only then is it sure what it is. */
  private Optional<Long> generation(App user, String name) {
    return apps.flatMap(cache -> cache.get(new ResourceID(name, user.getMetadata().getNamespace())))
        .map(App::getStatus)
        .flatMap(AppStatus::succeededGeneration);
  }

  private static boolean isSame(App one, App other) {
    return ResourceID.fromResource(one).equals(ResourceID.fromResource(other));
  }

  private static Stream<String> uses(App app) {
    return Optional.ofNullable(app.getSpec()).map(AppSpec::uses).stream()
        .flatMap(List::stream)
        .map(UsedComponent::app);
  }

  private static String key(App app, String used) {
    return app.getMetadata().getNamespace() + "/" + used;
  }
}
