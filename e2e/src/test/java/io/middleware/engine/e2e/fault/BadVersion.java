package io.middleware.engine.e2e.fault;

import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.util.List;

/** How Redis 7.2 is bad, to Apps of a Plugin of their own: two groups of three pods. */
enum BadVersion {
  /** Its pods turn Ready and lag behind, which a check beside the tasks finds. */
  LAGS(
      "1.0.12",
      "agent.local.middleware.io/lag: \"${runtime.version == '7.2' ? '5242880' : '0'}\"",
      """
          checks:
          - name: in-sync
            during: Change
            every: 1s
            failureThreshold: 2
            allOf: [{agent: {ask: lag, role: Replica, cel: int(answer) < 1048576}}]
      """,
      "10m",
      "CheckFailed"),

  /** Its pods never turn Ready. */
  NEVER_READY(
      "1.0.13",
      "local.middleware.io/fault: \"${runtime.version == '7.2' ? optional.of('image-pull') :"
          + " optional.none()}\"",
      "",
      "60s", // more than it takes until the first pod is stopped, also after some kills
      "TaskTimedOut");

  private final String plugin;
  private final String annotation;
  private final String checks;
  private final String timeout;

  /** Why its task fails. */
  final String reason;

  BadVersion(String plugin, String annotation, String checks, String timeout, String reason) {
    this.plugin = plugin;
    this.annotation = annotation;
    this.checks = checks;
    this.timeout = timeout;
    this.reason = reason;
  }

  void applyPlugin(Shop shop) {
    shop.applyPlugin(
        shop.sample("plugin-redis.yaml")
            .replace("redis-v1.0.0", "redis-v" + plugin)
            .replace("version: 1.0.0", "version: " + plugin)
            .replace("ready-after: 500ms}", "ready-after: 200ms, " + annotation + "}"));
  }

  /** An App of this name. */
  Yaml app(Shop shop, String name, String version) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: App
        metadata: {name: %s, namespace: %s}
        spec:
          plugin: {name: redis, version: %s}
          runtime: {name: redis, version: "%s"}
          components:
          - name: redis-nodes
            type: redis
            groups:
            - {name: shard-0, replicas: 3, storage: {size: 1Gi}, resources: {requests: {cpu: 100m, memory: 128Mi}}}
            - {name: shard-1, replicas: 3, storage: {size: 1Gi}, resources: {requests: {cpu: 100m, memory: 128Mi}}}
        %s  change: {maxRetries: 1, timeouts: {VersionUpgrade: %s}}
        """
            .formatted(name, shop.namespace, plugin, version, checks, timeout));
  }

  /** The pods of the App that have the bad version. */
  static List<String> pods(Shop shop, String app) {
    return shop.pods(app).stream()
        .filter(pod -> pod.getMetadata().getLabels().containsKey(Labels.GROUP))
        .filter(pod -> pod.getSpec().getContainers().getFirst().getImage().endsWith(":7.2"))
        .map(pod -> pod.getMetadata().getName())
        .toList();
  }
}
