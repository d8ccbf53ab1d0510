package io.middleware.engine.e2e;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.App;
import java.util.List;

/**
 * An App of two components and few pods. The name of its first group says how it behaves on Redis
 * 7.2; with the Plugin of the samples ({@link #fixed}) it becomes ready.
 */
public final class HangingApp {
  public static final String NAME = "cache";

  /** The pods of this group cannot pull 7.2. */
  public static final String HANGING = "hanging";

  private static final String FIXED = "1.0.0";
  private static final String FAULT =
      "${group == 'hanging' && runtime.version == '7.2'"
          + " ? optional.of('image-pull') : optional.none()}";

  private final Shop shop;
  private final String group;
  private final int replicas;
  private String version = "1.0.2";
  private String order = "[sentinel, redis-nodes]";

  public HangingApp(Shop shop, String group, int replicas) {
    this.shop = shop;
    this.group = group;
    this.replicas = replicas;
  }

  /** Both components are changed at once. */
  public HangingApp together() {
    version = "1.0.3";
    order = "[[sentinel, redis-nodes]]";
    return this;
  }

  /** On 7.0, where all pods become ready. */
  public HangingApp deployed() {
    shop.applyPlugin(plugin());
    shop.apply(yaml("7.0", ""));
    shop.awaitReady(NAME);
    return this;
  }

  /**
   * @param settings of {@code spec.change}
   */
  public Yaml yaml(String runtime, String settings) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: App
        metadata: {name: %s, namespace: %s}
        spec:
          paused: false
          plugin: {name: redis, version: %s}
          runtime: {name: redis, version: "%s"}
          components:
          - {name: sentinel, groups: [{name: %s, replicas: %d}]}
          - {name: redis-nodes, type: sentinel, groups: [{name: all, replicas: 1}]}
          change: {%s}
        """
            .formatted(NAME, shop.namespace, version, runtime, group, replicas, settings));
  }

  public void upgrade(String settings) {
    shop.apply(yaml("7.2", settings));
  }

  /** The upgrade with the correct Plugin. */
  public Yaml fixed(String settings) {
    return yaml("7.2", settings).replace("version: " + version, "version: " + FIXED);
  }

  public String workload() {
    return NAME + "-sentinel-" + group;
  }

  public String pod(int number) {
    return workload() + "-" + number;
  }

  public void awaitHanging() {
    await("a pod hangs")
        .atMost(Shop.PATIENCE)
        .until(() -> shop.pods(NAME).stream().anyMatch(HangingApp::isHanging));
  }

  /** Lets the hanging pods become ready. */
  public void release() {
    for (var pod : shop.pods(NAME).stream().filter(HangingApp::isHanging).toList()) {
      shop.kubectl(
          "",
          "annotate",
          "pod",
          pod.getMetadata().getName(),
          "-n",
          shop.namespace,
          "local.middleware.io/fault-");
    }
  }

  public App awaitOutcome(String outcome) {
    return shop.awaitApp(
        NAME,
        app ->
            outcome.equals(app.getStatus().change().outcome())
                && app.getMetadata().getGeneration().equals(app.getStatus().observedGeneration()));
  }

  public List<String> versions() {
    return shop.pods(NAME).stream()
        .map(pod -> pod.getSpec().getContainers().getFirst().getImage())
        .map(image -> image.substring(image.lastIndexOf(':') + 1))
        .distinct()
        .toList();
  }

  private static boolean isHanging(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() == null
        && pod.getStatus().getContainerStatuses().stream()
            .anyMatch(container -> container.getState().getWaiting() != null);
  }

  private Yaml plugin() {
    return shop.sample("plugin-redis.yaml")
        .replace("redis-v" + FIXED, "redis-v" + version)
        .replace("version: " + FIXED, "version: " + version)
        .replace("upgrade: [sentinel, redis-nodes]", "upgrade: " + order)
        .replace(
            "ready-after: 500ms}",
            "ready-after: 200ms, local.middleware.io/fault: \"%s\"}".formatted(FAULT));
  }
}
