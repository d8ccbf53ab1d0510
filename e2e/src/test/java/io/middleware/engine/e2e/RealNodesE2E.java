package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Redis in real containers, on nodes with a real kubelet, and the engine installed in the cluster.
 * Runs only with {@code dev/test --nodes real}.
 */
@EndToEnd
@Isolated("kills what all pods of a node share")
@EnabledIfEnvironmentVariable(named = "NODES", matches = "real")
class RealNodesE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration WRITES_GO_ON = Duration.ofSeconds(5);
  private static final int SECOND = 1_000_000_000;
  private static final List<String> NODES = List.of("node-1", "node-2", "node-3");

  private final Shop shop;
  private final DeployedRedisGroup group;

  RealNodesE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
    shop.kubectl(
        "", "label", "namespace", shop.namespace, "pod-security.kubernetes.io/enforce=restricted");
  }

  @AfterEach
  void close() {
    group.close();
    NODES.forEach(node -> shop.kubectl("", "uncordon", node));
  }

  @Test
  void shouldUpgradeWithoutLosingAWriteThePrimaryLast() throws InterruptedException {
    deploy();
    group.writer.start();
    upgrade();
    group.assertThatNothingIsLost("upgrade in containers");
  }

  @Test
  void shouldUpgradeWhenTheKubeletsAreKilledMeanwhile() throws InterruptedException {
    // Given
    deploy();
    group.writer.start();
    var pids = NODES.stream().map(RealNodesE2E::kubelet).toList();
    // When
    NODES.forEach(node -> onNode(node, "pkill", "-KILL", "-x", "kubelet"));
    upgrade();
    // Then
    assertThat(NODES.stream().map(RealNodesE2E::kubelet)).doesNotContainAnyElementsOf(pids);
    group.assertThatNothingIsLost("upgrade in containers, kubelets killed");
  }

  @Test
  void shouldReturnInPlaceWhenTheContainerOfThePrimaryIsKilled() throws InterruptedException {
    // Given
    deploy();
    var audit = AuditLog.fromNow();
    var primary = pod(group.primary());
    group.writer.start();
    // When
    var container = redis(primary).getContainerID().replaceFirst("^containerd://", "");
    var kill = "ctr --namespace=k8s.io task kill --signal=SIGKILL " + container;
    onNode(primary.getSpec().getNodeName(), kill.split(" "));
    // Then
    awaitRestart(primary);
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    group.assertThatNothingIsLost("container of the primary killed");
  }

  @Test
  void shouldReturnInPlaceWhenThePrimaryTakesMoreMemoryThanItMay() throws InterruptedException {
    // Given
    deploy(app().replace("memory: 128Mi}}", "memory: 64Mi}, limits: {memory: 64Mi}}"));
    var primary = pod(group.primary());
    group.writer.start();
    // When
    var fill = "for i=1,1000000 do redis.call('set','fill'..i,string.rep('x',1000)) end";
    shop.kubectl(
        "",
        "exec",
        "--namespace=" + shop.namespace,
        "--container=redis",
        replica().getMetadata().getName(),
        "--",
        "sh",
        "-c",
        "redis-cli -h %s eval \"%s\" 0 || true".formatted(primary.getStatus().getPodIP(), fill));
    // Then
    awaitRestart(primary);
    assertThat(redis(now(primary)).getLastState().getTerminated().getReason())
        .isEqualTo("OOMKilled");
    group.assertThatNothingIsLost("primary killed for its memory");
  }

  @Test
  void shouldSayWhichImageCannotBePulledAndRollBack() throws InterruptedException {
    // Given a Plugin whose 7.2 is an image that no node has
    shop.applyPlugin(
        shop.file("plugins/redis/plugin.yaml")
            .replace("redis-v2.0.0", "redis-v2.0.1")
            .replace("\n  version: 2.0.0\n", "\n  version: 2.0.1\n")
            .replace("redis:7.2", "redis:missing"));
    var app = app().replace("version: 2.0.0", "version: 2.0.1");
    shop.apply(app);
    awaitReady();
    group.writer.start();
    // When
    shop.apply(app.replace("version: \"7.0\"", "version: \"7.2\""));
    // Then
    await("the reason in the status")
        .atMost(PATIENCE)
        .until(() -> readyMessage().matches(".*cache-redis-nodes-main-1 .*Image.*"));
    System.out.println("image that is not there: " + readyMessage());
    // When
    shop.annotate("cache", "middleware.io/cancel-control", "{}");
    // Then
    await("rolled back")
        .atMost(PATIENCE)
        .until(() -> "Cancelled".equals(shop.status("cache").change().outcome()));
    await("three ready pods")
        .atMost(PATIENCE)
        .until(() -> group.pods().stream().filter(RealNodesE2E::isReady).count() == 3);
    group.assertThatNothingIsLost("image that is not there, rolled back");
  }

  @Test
  void shouldKeepTwoPodsWhenANodeIsDrained() throws InterruptedException {
    // Given
    deploy();
    var replica = replica();
    group.writer.start();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      shop.kubectl(
          "", "drain", replica.getSpec().getNodeName(), "--delete-emptydir-data", "--timeout=90s");
      // Then its volume keeps the pod away from other nodes, and its budget keeps the others
      await("the reason in the status")
          .atMost(PATIENCE)
          .until(() -> readyMessage().contains("Unschedulable"));
      System.out.println("drained node: " + readyMessage());
      assertThat(group.pods().stream().filter(RealNodesE2E::isReady).map(this::evict))
          .containsExactly(false, false);
      // When
      shop.kubectl("", "uncordon", replica.getSpec().getNodeName());
      awaitReady();
      // Then
      assertThat(diary.mostDownAtOnce()).isEqualTo(1);
    }
    upgrade();
    group.assertThatNothingIsLost("drained node, then an upgrade");
  }

  @Test
  void shouldReturnWithItsNode() throws InterruptedException {
    // Given
    deploy();
    var replica = replica();
    var node = replica.getSpec().getNodeName();
    group.writer.start();
    // When
    Engine.dev("stop", node, "--kill");
    await("not ready").atMost(PATIENCE).until(() -> !isReady(now(replica)));
    Engine.dev("start", node);
    // Then
    await("ready again").atMost(PATIENCE).until(() -> isReady(now(replica)));
    awaitReady();
    assertThat(now(replica).getMetadata().getUid()).isEqualTo(replica.getMetadata().getUid());
    assertThat(now(replica).getStatus().getPodIP()).isNotEqualTo(replica.getStatus().getPodIP());
    upgrade();
    group.assertThatNothingIsLost("node lost and back, then an upgrade");
  }

  private Yaml app() {
    return shop.file("plugins/redis/app-replication.yaml");
  }

  private void deploy() {
    deploy(app());
  }

  private void deploy(Yaml app) {
    shop.applyPlugin(shop.file("plugins/redis/plugin.yaml"));
    var begin = System.nanoTime();
    shop.apply(app);
    awaitReady();
    System.out.printf("deployed after %d s%n", (System.nanoTime() - begin) / SECOND);
  }

  /** All pods are replaced, one after the other, the primary last. */
  private void upgrade() {
    var primary = group.primary();
    var audit = AuditLog.fromNow();
    var begin = System.nanoTime();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      shop.apply(app().replace("version: \"7.0\"", "version: \"7.2\""));
      awaitReady();
      assertThat(diary.mostDownAtOnce()).isEqualTo(1);
    }
    System.out.printf("upgraded after %d s%n", (System.nanoTime() - begin) / SECOND);
    assertThat(audit.restarts(shop.namespace)).hasSize(3).endsWith(primary);
    assertThat(group.pods())
        .allSatisfy(
            pod -> assertThat(redis(pod).getImage()).isEqualTo("docker.io/library/redis:7.2"));
  }

  /** The same pod with a new container; then some seconds for writes to go on. */
  private void awaitRestart(Pod pod) throws InterruptedException {
    await("restart in place")
        .atMost(PATIENCE)
        .until(() -> redis(now(pod)).getRestartCount() == 1 && isReady(now(pod)));
    assertThat(now(pod).getMetadata().getUid()).isEqualTo(pod.getMetadata().getUid());
    await("a primary").atMost(PATIENCE).ignoreExceptions().until(() -> !group.primary().isEmpty());
    Thread.sleep(WRITES_GO_ON);
    awaitReady();
  }

  private void awaitReady() {
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

  private String readyMessage() {
    return Shop.condition(shop.app("cache"), "Ready")
        .map(ready -> ready.getReason() + ": " + ready.getMessage())
        .orElse("");
  }

  private boolean evict(Pod pod) {
    return shop.client
        .pods()
        .inNamespace(shop.namespace)
        .withName(pod.getMetadata().getName())
        .evict();
  }

  private Pod replica() {
    var primary = group.primary();
    return group.pods().stream()
        .filter(pod -> !pod.getMetadata().getName().equals(primary))
        .findFirst()
        .orElseThrow();
  }

  private Pod pod(String name) {
    return shop.client.pods().inNamespace(shop.namespace).withName(name).get();
  }

  private Pod now(Pod pod) {
    return pod(pod.getMetadata().getName());
  }

  private static ContainerStatus redis(Pod pod) {
    return pod.getStatus().getContainerStatuses().stream()
        .filter(container -> container.getName().equals("redis"))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isReady(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(one -> one.getType().equals("Ready") && one.getStatus().equals("True"));
  }

  private static String kubelet(String node) {
    return onNode(node, "pgrep", "-x", "kubelet").strip();
  }

  private static String onNode(String node, String... command) {
    return Engine.run(
        Stream.concat(
                Stream.of(Engine.CHECKOUT.resolve("dev/node").toString(), node), Stream.of(command))
            .toList());
  }
}
