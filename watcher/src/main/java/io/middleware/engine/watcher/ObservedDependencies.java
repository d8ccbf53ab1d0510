package io.middleware.engine.watcher;

import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.backup.BackupStore;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.watcher.cache.LeanStore;
import io.middleware.engine.watcher.cache.ObservedPlugins;
import io.middleware.engine.watcher.cache.OptionalKinds;
import io.middleware.engine.watcher.cache.ServedNamespaces;
import io.middleware.engine.watcher.health.HealthProblem;
import io.middleware.engine.watcher.secrets.SecretLooks;
import io.middleware.engine.workflows.port.SecretActivities.SecretState;
import io.middleware.engine.workflows.port.SecretActivities.SeenSecret;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What Apps use, and others may delete: Plugins, BackupStores, Backups to restore from, and
 * Secrets.
 */
final class ObservedDependencies {
  private static final GroupVersionKind BACKUP_STORE = GroupVersionKind.gvkFor(BackupStore.class);

  private final Map<String, InformerEventSource<BackupStore, App>> stores =
      new ConcurrentHashMap<>();
  private final ObservedPlugins plugins;
  private final ServedNamespaces served;
  private final OptionalKinds optional;
  private final BiPredicate<String, String> backups;
  private final SecretLooks secrets;

  /**
   * @param optional whether BackupStores are read
   * @param backups whether there is a Backup of this namespace and name
   * @param secrets looks whether they exist
   */
  ObservedDependencies(
      ObservedPlugins plugins,
      ServedNamespaces served,
      OptionalKinds optional,
      BiPredicate<String, String> backups,
      SecretLooks secrets) {
    this.plugins = plugins;
    this.served = served;
    this.optional = optional;
    this.backups = backups;
    this.secrets = secrets;
  }

  /** The event sources of BackupStores. They trigger reconciliation of the Apps that name them. */
  List<EventSource<?, App>> sources(EventSourceContext<App> context) {
    return served
        .scopes()
        .filter(scope -> optional.include(BACKUP_STORE, scope))
        .<EventSource<?, App>>map(scope -> source(context, scope))
        .toList();
  }

  private EventSource<?, App> source(EventSourceContext<App> context, String scope) {
    var source =
        ServedNamespaces.source(
            "backupstores",
            scope,
            () ->
                InformerEventSourceConfiguration.from(BackupStore.class, App.class)
                    .withItemStore(new LeanStore<BackupStore>(store -> store.setSpec(null)))
                    .withOnUpdateFilter((now, before) -> false)
                    .withSecondaryToPrimaryMapper(
                        store ->
                            context
                                .getPrimaryCache()
                                .list(store.getMetadata().getNamespace(), app -> uses(app, store))
                                .map(ResourceID::fromResource)
                                .collect(Collectors.toSet())),
            context);
    stores.put(scope, source);
    return source;
  }

  private static boolean uses(App app, BackupStore store) {
    return store(app).filter(store.getMetadata().getName()::equals).isPresent();
  }

  private static Optional<String> store(App app) {
    return Optional.ofNullable(app.getSpec())
        .flatMap(spec -> Optional.ofNullable(spec.backup()))
        .map(BackupSettings::store);
  }

  /** What the App is deployed with, or is being filled from, and is not there. */
  List<HealthProblem> missing(App app, List<Component> components) {
    var secretsMissing = secrets.observe(app, components);
    if (app.isMarkedForDeletion() || components.isEmpty()) {
      return List.of();
    }
    var namespace = app.getMetadata().getNamespace();
    var specs = components.stream().map(Component::getSpec).filter(Objects::nonNull).toList();
    return Stream.of(
            specs.stream()
                .map(ComponentSpec::plugin)
                .filter(Objects::nonNull)
                .distinct()
                .filter(plugin -> plugins.find(plugin).isEmpty())
                .map(ObservedDependencies::missing),
            store(app).filter(name -> !hasStore(namespace, name)).stream()
                .map(
                    name ->
                        problem(
                            Reasons.BACKUP_STORE_MISSING,
                            "BackupStore %s does not exist: backups fail until it does; create it again",
                            name)),
            specs.stream()
                .filter(spec -> spec.restoreFrom() != null)
                .filter(spec -> !backups.test(namespace, spec.restoreFrom().backup()))
                .map(
                    spec ->
                        problem(
                            Reasons.BACKUP_MISSING,
                            "Backup %s does not exist: component %s is being filled from it, and may begin empty; delete the App, and create it again from another Backup",
                            spec.restoreFrom().backup(),
                            spec.component())),
            secretsMissing.stream().map(ObservedDependencies::missing))
        .flatMap(found -> found)
        .toList();
  }

  /** Not known is not missing. */
  private boolean hasStore(String namespace, String name) {
    var known = stores.get(served.scope(namespace));
    return known == null || known.get(new ResourceID(name, namespace)).isPresent();
  }

  private static HealthProblem missing(SeenSecret secret) {
    return problem(
        secret.state() == SecretState.FORBIDDEN ? Reasons.SECRET_FORBIDDEN : Reasons.SECRET_MISSING,
        "%s; pods that run keep the value that they have, one that starts may need it",
        secret.text());
  }

  private static HealthProblem missing(PluginRef plugin) {
    return problem(
        Reasons.PLUGIN_MISSING,
        "Plugin %s does not exist: what was known of it last is used; create it again",
        Labels.pluginName(plugin.name(), plugin.version()));
  }

  private static HealthProblem problem(String reason, String text, Object... names) {
    return new HealthProblem(Reasons.DEPENDENCIES_MISSING, reason, text.formatted(names));
  }
}
