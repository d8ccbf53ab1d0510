package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.e2e.AppBackup;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.LocalStore;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Trials;
import io.middleware.engine.proof.Proves;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Redis in real containers, on nodes with a real kubelet, and the engine installed in the cluster.
 * Runs where {@code dev/test} can start real nodes.
 */
@Proves(
    plugin = "redis",
    versions = "redis 7.0",
    what =
        "Changes, killed kubelets and containers, a drain and a node without power lose no confirmed write.")
@EndToEnd
@Isolated("kills what all pods of a node share")
@EnabledIfEnvironmentVariable(named = "NODES", matches = "real")
@InTurn(0)
class RealNodesE2E {
  private static final int KEYS = 10_000;

  private static final String JOB =
      """
          actions:
          - name: ping
            runs: Job
            timeout: 2m
            job:
              apiVersion: batch/v1
              kind: Job
              spec:
                template:
                  spec:
                    securityContext: {runAsUser: 999, runAsGroup: 999, runAsNonRoot: true}
                    containers:
                    - name: ping
                      image: "${images.redis}"
                      command: [sh, -c, %s]
                      env: [{name: HOST, value: "${name}-0.${name}"}]
                      resources: {requests: {cpu: 20m, memory: 32Mi}, limits: {memory: 64Mi}}
      """;

  private final Shop shop;
  private final RealRedis redis;

  RealNodesE2E(Shop shop) {
    this.shop = shop;
    this.redis = new RealRedis(shop);
  }

  @AfterEach
  void close() {
    redis.close();
  }

  @Test
  void shouldUpgradeWithoutLosingAWriteThePrimaryLast() throws InterruptedException {
    redis.deploy();
    redis.group.writer.start();
    redis.upgrade();
    redis.group.assertThatNothingIsLost("upgrade in containers");
  }

  @Test
  void shouldUpgradeWhenTheKubeletsAreKilledMeanwhile() throws InterruptedException {
    // Given
    redis.deploy();
    redis.group.writer.start();
    var pids = RealRedis.NODES.stream().map(RealNodesE2E::kubelet).toList();
    // When
    RealRedis.NODES.forEach(node -> RealRedis.onNode(node, "pkill", "-KILL", "-x", "kubelet"));
    redis.upgrade();
    // Then
    assertThat(RealRedis.NODES.stream().map(RealNodesE2E::kubelet))
        .doesNotContainAnyElementsOf(pids);
    redis.group.assertThatNothingIsLost("upgrade in containers, kubelets killed");
  }

  @Test
  void shouldReturnInPlaceWhenTheContainerOfThePrimaryIsKilled() throws InterruptedException {
    // Given
    redis.deploy();
    var audit = AuditLog.fromNow();
    var primary = redis.group.pod(redis.group.primary());
    redis.group.writer.start();
    // When
    RealRedis.signal(primary, "SIGKILL");
    // Then
    redis.awaitRestart(primary);
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    redis.group.assertThatNothingIsLost("container of the primary killed");
  }

  /** Redis accepts connections and answers none: only the liveness probe ends that. */
  @Test
  void shouldReturnInPlaceWhenThePrimaryHangs() throws InterruptedException {
    // Given
    redis.deploy();
    var audit = AuditLog.fromNow();
    var primary = redis.group.pod(redis.group.primary());
    redis.group.writer.start();
    // When
    RealRedis.signal(primary, "SIGSTOP");
    // Then
    redis.awaitRestart(primary);
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    redis.group.assertThatNothingIsLost("primary that hangs");
  }

  @Test
  void shouldFailOverBySentinelWhenThePrimaryHangsAndUpgradeThen() throws InterruptedException {
    // Given
    var app = shop.file("plugins/redis/app-sentinel.yaml");
    var sentinels = new Sentinels(redis.group);
    redis.deploy(app);
    sentinels.awaitAgreement();
    var primary = redis.group.pod(redis.group.primary());
    var replicas = redis.group.replicas();
    redis.group.writer.start();
    // When
    RealRedis.signal(primary, "SIGSTOP");
    // Then
    await("another primary")
        .atMost(RealRedis.PATIENCE)
        .ignoreExceptions()
        .until(() -> replicas.contains(sentinels.watchedBy(0)));
    redis.awaitRestart(primary);
    sentinels.awaitAgreement();
    assertThat(redis.group.primary()).isNotEqualTo(primary.getMetadata().getName());
    redis.upgrade(app);
    sentinels.awaitAgreement();
    redis.group.assertThatNothingIsLost("failover by Sentinel in containers, then an upgrade");
  }

  @Test
  void shouldReturnInPlaceWhenThePrimaryTakesMoreMemoryThanItMay() throws InterruptedException {
    // Given
    redis.deploy(redis.app().replace("memory: 128Mi}}", "memory: 64Mi}, limits: {memory: 64Mi}}"));
    var primary = redis.group.pod(redis.group.primary());
    redis.group.writer.start();
    // When
    redis.fill(primary);
    // Then
    redis.awaitRestart(primary);
    assertThat(RealRedis.container(redis.now(primary)).getLastState().getTerminated().getReason())
        .isEqualTo("OOMKilled");
    redis.group.assertThatNothingIsLost("primary killed for its memory");
  }

  @Test
  void shouldSayWhichImageCannotBePulledAndRollBack() throws InterruptedException {
    // Given a Plugin whose 7.2 is an image that no node has
    shop.applyPlugin(
        shop.file("plugins/redis/plugin.yaml")
            .replace("redis-v2.0.0", "redis-v2.0.1")
            .replace("\n  version: 2.0.0\n", "\n  version: 2.0.1\n")
            .replace("redis:7.2", "redis:missing"));
    var app = redis.app().replace("version: 2.0.0", "version: 2.0.1");
    shop.apply(app);
    redis.awaitReady();
    redis.group.writer.start();
    // When
    shop.apply(app.replace("version: \"7.0\"", "version: \"7.2\""));
    // Then
    await("the reason in the status")
        .atMost(RealRedis.PATIENCE)
        .until(() -> redis.readyMessage().matches(".*cache-redis-nodes-main-1 .*Image.*"));
    System.out.println("image that is not there: " + redis.readyMessage());
    // When
    shop.annotate("cache", "middleware.io/cancel-control", "{}");
    // Then
    await("rolled back")
        .atMost(RealRedis.PATIENCE)
        .until(() -> "Cancelled".equals(shop.status("cache").change().outcome()));
    await("three ready pods")
        .atMost(RealRedis.PATIENCE)
        .until(() -> redis.group.pods().stream().filter(RealRedis::isReady).count() == 3);
    redis.group.assertThatNothingIsLost("image that is not there, rolled back");
  }

  @Test
  void shouldKeepTwoPodsWhenANodeIsDrained() throws InterruptedException {
    // Given
    redis.deploy();
    var replica = redis.group.replica();
    redis.group.writer.start();
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      shop.kubectl(
          "", "drain", replica.getSpec().getNodeName(), "--delete-emptydir-data", "--timeout=90s");
      // Then its volume keeps the pod away from other nodes, and its budget keeps the others
      await("the reason in the status")
          .atMost(RealRedis.PATIENCE)
          .until(() -> redis.readyMessage().contains("Unschedulable"));
      System.out.println("drained node: " + redis.readyMessage());
      assertThat(redis.group.pods().stream().filter(RealRedis::isReady).map(redis::evict))
          .containsExactly(false, false);
      // When
      shop.kubectl("", "uncordon", replica.getSpec().getNodeName());
      redis.awaitReady();
      // Then
      assertThat(diary.mostDownAtOnce()).isEqualTo(1);
    }
    redis.upgrade();
    redis.group.assertThatNothingIsLost("drained node, then an upgrade");
  }

  @Test
  void shouldHandOverWhenThePrimaryIsTakenFromOutside() throws InterruptedException {
    // Given
    redis.deploy();
    redis.group.writer.start();
    for (var drains = Trials.of(1, 20); drains > 0; drains--) {
      var primary = redis.group.pod(redis.group.primary());
      var node = primary.getSpec().getNodeName();
      // When
      shop.kubectl("", "drain", node, "--delete-emptydir-data", "--timeout=90s");
      // Then another pod takes over, although this one cannot run elsewhere
      awaitAnotherPrimary(primary);
      shop.kubectl("", "uncordon", node);
      redis.awaitReady();
    }
    // When
    var primary = redis.group.pod(redis.group.primary());
    shop.kubectl(
        "", "delete", "pod", primary.getMetadata().getName(), "--namespace=" + shop.namespace);
    // Then
    awaitAnotherPrimary(primary);
    redis.awaitReady();
    redis.group.assertThatNothingIsLost("primary's node drained, primary deleted");
  }

  private void awaitAnotherPrimary(Pod before) {
    await("another primary than " + before.getMetadata().getName())
        .atMost(RealRedis.PATIENCE)
        .ignoreExceptions()
        .until(() -> !redis.group.primary().equals(before.getMetadata().getName()));
  }

  @Test
  void shouldReturnWithItsNode() throws InterruptedException {
    // Given
    redis.deploy();
    var replica = redis.group.replica();
    var node = replica.getSpec().getNodeName();
    redis.group.writer.start();
    // When
    Engine.dev("stop", node, "--kill");
    await("not ready")
        .atMost(RealRedis.PATIENCE)
        .until(() -> !RealRedis.isReady(redis.now(replica)));
    Engine.dev("start", node);
    // Then
    await("ready again")
        .atMost(RealRedis.PATIENCE)
        .until(() -> RealRedis.isReady(redis.now(replica)));
    redis.awaitReady();
    assertThat(redis.now(replica).getMetadata().getUid()).isEqualTo(replica.getMetadata().getUid());
    assertThat(redis.now(replica).getStatus().getPodIP())
        .isNotEqualTo(replica.getStatus().getPodIP());
    redis.upgrade();
    redis.group.assertThatNothingIsLost("node lost and back, then an upgrade");
  }

  @Test
  void shouldRestoreABackupOfAnAppThatIsDeletedWithItsVolumes() {
    // Given
    new LocalStore(shop).inS3();
    var app =
        redis.app().plus("  deletionPolicy: Delete\n  backup: {enabled: false, store: nightly}\n");
    redis.deploy(app);
    var written = RedisContent.write(redis.group.primaryAddress(), KEYS);
    // When
    var backup = new AppBackup(shop, "monday").apply().ends("Succeeded");
    System.out.println("backup in containers: " + backup.size());
    shop.kubectl("", "delete", "app", "cache", "-n", shop.namespace, "--timeout=120s");
    shop.apply(app.plus("  restoreFrom: {backup: monday}\n"));
    redis.awaitReady();
    // Then
    assertThat(RedisContent.read(redis.group.primaryAddress())).isEqualTo(written);
    // When
    AppBackup.deleteAll(shop);
    // Then
    assertThat(new LocalStore(shop).objects()).isEmpty();
  }

  @Test
  void shouldRunAnActionAsAJob() {
    // Given
    deployWithJob("redis-cli -h $HOST ping > /dev/termination-log");
    // When
    var ping = new AppOperation(shop, "ping-1", "ping").apply().ends("Succeeded");
    // Then
    assertThat(ping.runs())
        .extracting(ActionRun::group, ActionRun::status, ActionRun::exitCode, ActionRun::output)
        .containsExactly(tuple("main", "Succeeded", 0, "PONG"));
  }

  @Test
  void shouldSayHowTheJobOfAnActionFailed() {
    // Given
    deployWithJob("echo no such key; exit 3");
    // When
    var ping = new AppOperation(shop, "ping-1", "ping").apply().ends("Failed");
    // Then
    assertThat(ping.message()).contains("Error, exit code 3: no such key");
  }

  /** A Plugin of its own with an action whose Job runs this command. */
  private void deployWithJob(String command) {
    var name = "redis-" + shop.namespace;
    shop.applyPlugin(
        shop.file("plugins/redis/plugin.yaml")
            .replace("name: redis-v2.0.0", "name: %s-v2.0.0".formatted(name))
            .replace("  name: redis\n", "  name: %s\n".formatted(name))
            .replace("    checks:  ", JOB.formatted(command) + "    checks:  "));
    shop.apply(redis.app().replace("plugin: {name: redis,", "plugin: {name: %s,".formatted(name)));
    redis.awaitReady();
  }

  private static String kubelet(String node) {
    return RealRedis.onNode(node, "pgrep", "-x", "kubelet").strip();
  }
}
