package io.middleware.engine.watcher.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.middleware.engine.api.App;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The namespaces that are served; none means all. An informer removes from its store what it does
 * not find in its own namespace. So a store must not be shared, as it would be by the informers
 * that one event source has for several namespaces.
 */
public record ServedNamespaces(List<String> names) {
  private static final String ALL = "";

  public ServedNamespaces {
    names = List.copyOf(names);
  }

  /** Whether one event source has one informer, whose store may be given. */
  public boolean isOneInformer() {
    return names.size() <= 1;
  }

  /** Whether this one is served. */
  public boolean includes(String namespace) {
    return names.isEmpty() || names.contains(namespace);
  }

  /** What there is an informer for: each namespace, or all of them together. */
  public Stream<String> scopes() {
    return names.isEmpty() ? Stream.of(ALL) : names.stream();
  }

  /** The scope that a namespace belongs to. */
  public String scope(String namespace) {
    return names.isEmpty() ? ALL : namespace;
  }

  /** The event source of one scope, with a store of its own. */
  public static <R extends HasMetadata> InformerEventSource<R, App> source(
      String name,
      String scope,
      Supplier<InformerEventSourceConfiguration.Builder<R>> kind,
      EventSourceContext<App> context) {
    var builder = kind.get();
    var configuration =
        scope.equals(ALL)
            ? builder.withName(name)
            : builder.withName(name + " in " + scope).withNamespaces(Set.of(scope));
    return new InformerEventSource<>(configuration.build(), context);
  }
}
