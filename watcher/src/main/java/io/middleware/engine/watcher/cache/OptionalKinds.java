package io.middleware.engine.watcher.cache;

import io.fabric8.kubernetes.api.Pluralize;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.middleware.engine.api.InventoryItem;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kinds that the watcher can do without: where it may not list one, it starts all the same, and
 * nothing is known of the objects of that kind. So a new engine runs with the roles of an older
 * one.
 */
public final class OptionalKinds {
  private static final Logger LOG = LoggerFactory.getLogger(OptionalKinds.class);

  private final Map<String, Boolean> listed = new ConcurrentHashMap<>();
  private final KubernetesClient client;

  public OptionalKinds(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Whether the watcher may list a kind, as it was when this was asked first.
   *
   * @param scope a namespace; empty for all
   */
  public boolean include(GroupVersionKind kind, String scope) {
    return listed.computeIfAbsent(
        key(scope, kind.apiVersion(), kind.getKind()), key -> mayList(kind, scope));
  }

  /** Whether objects of this kind are read in the scope. */
  public boolean include(InventoryItem item, String scope) {
    return listed.getOrDefault(key(scope, item.apiVersion(), item.kind()), true);
  }

  private static String key(String scope, String apiVersion, String kind) {
    return "%s %s %s".formatted(scope, apiVersion, kind);
  }

  private boolean mayList(GroupVersionKind kind, String scope) {
    var resource = Pluralize.toPlural(kind.getKind().toLowerCase(Locale.ROOT));
    var may = mayList(kind.getGroup(), resource, scope);
    if (!may) {
      LOG.atWarn()
          .addKeyValue("resource", resource)
          .addKeyValue("namespace", scope.isEmpty() ? "all" : scope)
          .log(
              "the watcher may not list {}, so it tells nothing about them, and writes none: give it the roles of its version's chart, and restart it",
              resource);
    }
    return may;
  }

  /** Without an answer it may: the informer that is refused then says so. */
  private boolean mayList(String group, String resource, String scope) {
    var review =
        new SelfSubjectAccessReviewBuilder()
            .withNewSpec()
            .withNewResourceAttributes()
            .withVerb("list")
            .withGroup(group)
            .withResource(resource)
            .withNamespace(scope.isEmpty() ? null : scope)
            .endResourceAttributes()
            .endSpec()
            .build();
    try {
      var answer = client.authorization().v1().selfSubjectAccessReview().create(review);
      return !Boolean.FALSE.equals(answer.getStatus().getAllowed());
    } catch (KubernetesClientException e) {
      return true;
    }
  }
}
