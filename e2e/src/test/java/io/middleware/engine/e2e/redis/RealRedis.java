package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** One group of Redis in real containers, and what happens to its pods and their nodes. */
public final class RealRedis implements AutoCloseable {
  static final List<String> NODES = List.of("node-1", "node-2", "node-3");
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final Duration WRITES_GO_ON = Duration.ofSeconds(5);
  private static final int SECOND = 1_000_000_000;

  private final Shop shop;
  final DeployedRedisGroup group;

  RealRedis(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
    shop.kubectl(
        "", "label", "namespace", shop.namespace, "pod-security.kubernetes.io/enforce=restricted");
  }

  @Override
  public void close() {
    group.close();
    NODES.forEach(node -> shop.kubectl("", "uncordon", node));
  }

  Yaml app() {
    return shop.file("plugins/redis/app-replication.yaml");
  }

  void deploy() {
    deploy(app());
  }

  void deploy(Yaml app) {
    shop.applyPlugin(shop.file("plugins/redis/plugin.yaml"));
    var begin = System.nanoTime();
    shop.apply(app);
    awaitReady();
    System.out.printf("deployed after %d s%n", (System.nanoTime() - begin) / SECOND);
  }

  void upgrade() {
    upgrade(app());
  }

  /** All pods are replaced, one after the other, the primary last. */
  void upgrade(Yaml app) {
    var pods = shop.pods("cache").size();
    var primary = group.primary();
    var audit = AuditLog.fromNow();
    var begin = System.nanoTime();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      shop.apply(app.replace("version: \"7.0\"", "version: \"7.2\""));
      awaitReady();
      assertThat(diary.mostDownAtOnce()).isEqualTo(1);
    }
    System.out.printf("upgraded after %d s%n", (System.nanoTime() - begin) / SECOND);
    assertThat(audit.restarts(shop.namespace)).hasSize(pods).endsWith(primary);
    assertThat(group.pods())
        .allSatisfy(
            pod -> assertThat(container(pod).getImage()).isEqualTo("docker.io/library/redis:7.2"));
  }

  /** The same pod with a new container; then some seconds for writes to go on. */
  void awaitRestart(Pod pod) throws InterruptedException {
    await("restart in place")
        .atMost(PATIENCE)
        .until(() -> container(now(pod)).getRestartCount() == 1 && isReady(now(pod)));
    assertThat(now(pod).getMetadata().getUid()).isEqualTo(pod.getMetadata().getUid());
    await("a primary").atMost(PATIENCE).ignoreExceptions().until(() -> !group.primary().isEmpty());
    Thread.sleep(WRITES_GO_ON);
    awaitReady();
  }

  /** Writes up to 1 GB to the server of this pod. */
  void fill(Pod pod) {
    var script = "for i=1,1000000 do redis.call('set','fill'..i,string.rep('x',1000)) end";
    shop.kubectl(
        "",
        "exec",
        "--namespace=" + shop.namespace,
        "--container=redis",
        group.replica().getMetadata().getName(),
        "--",
        "sh",
        "-c",
        "redis-cli -h %s eval \"%s\" 0 || true".formatted(pod.getStatus().getPodIP(), script));
  }

  void awaitReady() {
    await("App Ready")
        .atMost(PATIENCE)
        .until(
            () -> {
              var app = shop.app("cache");
              return Shop.condition(app, "Ready")
                  .filter(ready -> ready.getStatus().equals("True"))
                  .filter(
                      ready ->
                          app.getMetadata().getGeneration().equals(ready.getObservedGeneration()))
                  .isPresent();
            });
  }

  String readyMessage() {
    return Shop.condition(shop.app("cache"), "Ready")
        .map(ready -> ready.getReason() + ": " + ready.getMessage())
        .orElse("");
  }

  /** Whether the API server evicts it. */
  boolean evict(Pod pod) {
    return shop.client
        .pods()
        .inNamespace(shop.namespace)
        .withName(pod.getMetadata().getName())
        .evict();
  }

  Pod now(Pod pod) {
    return group.pod(pod.getMetadata().getName());
  }

  static ContainerStatus container(Pod pod) {
    return pod.getStatus().getContainerStatuses().stream()
        .filter(container -> container.getName().equals("redis"))
        .findFirst()
        .orElseThrow();
  }

  public static boolean isReady(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(one -> one.getType().equals("Ready") && one.getStatus().equals("True"));
  }

  static void signal(Pod pod, String signal) {
    var container = container(pod).getContainerID().replaceFirst("^containerd://", "");
    var kill = "ctr --namespace=k8s.io task kill --signal=%s %s".formatted(signal, container);
    onNode(pod.getSpec().getNodeName(), kill.split(" "));
  }

  static String onNode(String node, String... command) {
    return Engine.run(
        Stream.concat(
                Stream.of(Engine.CHECKOUT.resolve("dev/node").toString(), node), Stream.of(command))
            .toList());
  }
}
