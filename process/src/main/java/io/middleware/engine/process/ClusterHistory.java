package io.middleware.engine.process;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that etcd was restored from a backup: the cluster's resource version goes back. Cached
 * state newer than the backup is wrong, and informers wait for resource versions that do not exist
 * yet. So the process must start again.
 */
public final class ClusterHistory {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterHistory.class);
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final ResourceDefinitionContext APPS =
      new ResourceDefinitionContext.Builder()
          .withGroup("middleware.io")
          .withVersion("v1")
          .withKind("App")
          .withPlural("apps")
          .withNamespaced(true)
          .build();

  private final Supplier<String> version;
  private long newest;

  /**
   * @param version of the newest write in the cluster; may fail with a {@link
   *     KubernetesClientException}
   */
  ClusterHistory(Supplier<String> version) {
    this.version = version;
  }

  /**
   * @param namespaces that the client may read; none means all
   */
  public static ClusterHistory of(KubernetesClient client, List<String> namespaces) {
    var apps = client.genericKubernetesResources(APPS);
    var one = new ListOptionsBuilder().withLimit(1L).build();
    return new ClusterHistory(
        () ->
            (namespaces.isEmpty()
                    ? apps.inAnyNamespace().list(one)
                    : apps.inNamespace(namespaces.getFirst()).list(one))
                .getMetadata()
                .getResourceVersion());
  }

  /**
   * Looks from time to time, in a thread of its own.
   *
   * @param rewound told what was seen, once; then the thread ends
   */
  public void watch(Consumer<String> rewound) {
    Thread.ofVirtual().name("cluster-history").start(() -> lookUntilRewound(rewound));
  }

  private void lookUntilRewound(Consumer<String> rewound) {
    try {
      var seen = look();
      while (seen.isEmpty()) {
        Thread.sleep(PAUSE);
        seen = look();
      }
      rewound.accept(seen.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns what is wrong; nothing while the API server does not answer. */
  Optional<String> look() {
    try {
      return compare(Long.parseLong(version.get()));
    } catch (KubernetesClientException | NumberFormatException e) {
      LOG.atDebug()
          .addKeyValue("reason", e.getMessage())
          .log("cannot read the cluster's resource version");
      return Optional.empty();
    }
  }

  private Optional<String> compare(long now) {
    if (now < newest) {
      return Optional.of(
          "the cluster's resource version went back from %d to %d, as after a restore of etcd"
              .formatted(newest, now));
    }
    newest = now;
    return Optional.empty();
  }
}
