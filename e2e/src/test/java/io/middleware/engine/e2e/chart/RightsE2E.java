package io.middleware.engine.e2e.chart;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.App;
import io.middleware.engine.e2e.AppBackup;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.LocalStore;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import io.middleware.engine.e2e.testing.IntegrationRun;
import io.middleware.engine.e2e.testing.LoadRun;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The engine has exactly the rights that it uses: the roles of k8s/chart against the audit log. */
@EndToEnd
@Disruptive("starts watcher and worker again")
class RightsE2E {
  /** The kinds of the output guard: an App may have them all, whatever the sample is made of. */
  private static final Set<String> GUARDED =
      new TreeSet<>(
          Set.of(
              "apps/deployments",
              "apps/statefulsets",
              "batch/cronjobs",
              "batch/jobs",
              "configmaps",
              "networking.k8s.io/networkpolicies",
              "persistentvolumeclaims",
              "policy/poddisruptionbudgets",
              "secrets",
              "serviceaccounts",
              "services"));

  /** What is read only of a pod whose node is cordoned: see StrandedPodsIT. */
  private static final Set<String> ON_CORDONED_NODES =
      Set.of("nodes list in *", "persistentvolumes get in *");

  private static Shop shop;
  private static List<AuditLog.Entry> log;

  @BeforeAll
  static void live(Shop own) {
    DeployedRedisGroup.assumeReal();
    shop = own;
    startFromNothing();
    deployAndChange();
    AppOperation.restart(shop, "restart-1").apply(", ttlSecondsAfterFinished: 0").awaitGone();
    editElevenTimes();
    beRefused();
    test();
    askAgentsOverTls();
    runIntoAQuota();
    backUp();
    shop.kubectl("", "delete", "app", "--all", "-n", shop.namespace, "--timeout=4m");
    log = shop.audit.requests();
  }

  @AfterAll
  static void close() {
    if (shop == null) {
      return;
    }
    shop.kubectl("", "delete", "plugin", "redis-tls-v1.0.0", "-n", Right.SYSTEM);
  }

  /** What informers read, and a lease that is not there yet. */
  private static void startFromNothing() {
    Engine.dev("stop", "watcher");
    shop.kubectl("", "delete", "lease", "middleware-watcher", "-n", Right.SYSTEM);
    Engine.dev("start", "watcher");
    Engine.dev("restart", "worker");
  }

  /** A broken pod is to be replaced; an edit comes while another is carried out. */
  private static void deployAndChange() {
    var deleting = shop.cache().replace("spec:\n", "spec:\n  deletionPolicy: Delete\n");
    shop.apply(deleting);
    shop.awaitReady("cache");
    crash("cache-redis-nodes-shard-1-2");
    var upgraded = deleting.replace("version: \"7.0\"", "version: \"7.2\"");
    shop.apply(upgraded);
    shop.awaitApp("cache", app -> hasBegun(app, "2-versionupgrade-sentinel"));
    shop.annotate("cache", "middleware.io/cancel-control", "nothing");
    shop.apply(upgraded.replace("name: all, replicas: 3", "name: all, replicas: 4"));
    shop.awaitReady("cache");
    shop.apply(
        upgraded
            .replace("name: all, replicas: 3", "name: all, replicas: 1")
            .replace("size: 1Gi", "size: 2Gi"));
    shop.awaitReady("cache");
  }

  private static boolean hasBegun(App app, String task) {
    return app.getStatus().tasks() != null
        && app.getStatus().tasks().stream()
            .anyMatch(it -> it.id().equals(task) && it.startedAt() != null);
  }

  private static void crash(String pod) {
    shop.kubectl(
        "",
        "annotate",
        "pod",
        pod,
        "-n",
        shop.namespace,
        "local.middleware.io/crash=true",
        "agent.local.middleware.io/fault=dead");
    shop.awaitApp(
        "cache", app -> Shop.condition(app, "Ready").orElseThrow().getStatus().equals("False"));
  }

  /** More generations than are kept. */
  private static void editElevenTimes() {
    for (int edit = 1; edit <= 11; edit++) {
      shop.apply(shop.small("one").plus("  change: {maxRetries: " + edit + "}\n"));
      shop.awaitReady("one");
    }
  }

  private static void beRefused() {
    shop.apply(shop.small("unwanted").replace("version: 1.0.0", "version: 9.9.9"));
    shop.awaitApp("unwanted", app -> Shop.condition(app, "Accepted").isPresent());
  }

  /** One of each kind, which is deleted at once after its end. */
  private static void test() {
    LoadRun.allow(shop);
    var load = new LoadRun(shop, "benchmark");
    load.apply(load.ending(0, "done").plus("  ttlSecondsAfterFinished: 0\n")).awaitGone();
    var look = new IntegrationRun(shop, "look");
    var step =
        "- {name: look, checks: [{name: is-there, allOf: [{cel: \"size(namespace) > 0\"}]}]}\n";
    look.apply(look.yaml(step).plus("  ttlSecondsAfterFinished: 0\n"));
    await("IntegrationTest gone").atMost(Shop.PATIENCE).until(() -> look.now() == null);
    shop.kubectl("", "delete", "rolebinding", "impersonate-tester", "-n", shop.namespace);
  }

  /** A pod is missing for good, so the worker asks why. */
  private static void runIntoAQuota() {
    shop.kubectl("", "create", "quota", "none", "-n", shop.namespace, "--hard=pods=0");
    shop.apply(shop.small("crowded"));
    shop.awaitApp(
        "crowded",
        app ->
            app.getStatus() != null
                && app.getStatus().change() != null
                && String.valueOf(app.getStatus().change().progress()).contains("exceeded quota"));
    shop.kubectl("", "delete", "quota", "none", "-n", shop.namespace);
  }

  /** One that a person asks for, and two of a schedule that keeps one. */
  private static void backUp() {
    shop.kubectl("", "delete", "app", "cache", "-n", shop.namespace, "--timeout=4m");
    new LocalStore(shop).inFolder();
    shop.applyPlugin(shop.file("plugins/redis/plugin.yaml"));
    shop.apply(
        shop.file("plugins/redis/app-replication.yaml")
            .plus("  backup: {schedule: \"@yearly\", retention: 1, store: nightly}\n"));
    shop.awaitReady("cache");
    new AppBackup(shop, "own").apply().ends("Succeeded");
    AppBackup.deleteAll(shop);
    var first = AppBackup.awaitScheduled(shop, "");
    AppBackup.awaitScheduled(shop, first);
    await("the older one gone").atMost(Shop.PATIENCE).until(() -> AppBackup.all(shop).size() == 1);
    AppBackup.deleteAll(shop);
  }

  /** The certificate to show them is in a Secret, which is missing here. */
  private static void askAgentsOverTls() {
    var tls = "agent: {port: 9090, tls: {secretName: middleware-agent-tls}}";
    shop.apply(
        shop.sample("plugin-redis.yaml")
            .last()
            .replace("name: redis-v1.0.0", "name: redis-tls-v1.0.0")
            .replace("  name: redis\n  version: 1.0.0", "  name: redis-tls\n  version: 1.0.0")
            .replace("agent: {port: 9090}", tls));
    var secured =
        shop.small("secured")
            .replace("{name: redis, version: 1.0.0}", "{name: redis-tls, version: 1.0.0}")
            .replace("replicas: 1", "replicas: 2");
    shop.apply(secured);
    shop.awaitReady("secured");
    shop.apply(secured.replace("version: \"7.0\"", "version: \"7.2\""));
    var task = shop.awaitTask("secured", "2-versionupgrade-sentinel", "Failed");
    assertThat(task.error().reason()).isEqualTo("Invalid");
    assertThat(task.error().message()).contains("middleware-agent-tls", "does not exist");
  }

  @Test
  void shouldGrantTheWatcherExactlyWhatItUses() {
    assertThat(Right.used(log, Right.WATCHER)).isEqualTo(Right.granted("middleware-watcher"));
  }

  @Test
  void shouldGrantTheWorkerExactlyWhatItUses() {
    assertThat(Right.granted("middleware-worker"))
        .filteredOn(right -> !ON_CORDONED_NODES.contains(right.toString()))
        .containsExactlyInAnyOrderElementsOf(Right.used(log, Right.WORKER));
  }

  @Test
  void shouldLendAnAppTheVerbsThatAreUsedOnTheKindsThatAreAllowed() {
    // When
    var used = Right.usedByDeployers(log);
    var granted = Right.granted("middleware-app-writer");
    // Then
    var verbs = verbs(used.stream().filter(right -> GUARDED.contains(right.resource())).toList());
    assertThat(granted).containsAll(used);
    assertThat(granted.stream().filter(right -> !GUARDED.contains(right.resource())))
        .allSatisfy(right -> assertThat(used).contains(right));
    for (var kind : GUARDED) {
      var ofKind = granted.stream().filter(right -> right.resource().equals(kind)).toList();
      assertThat(verbs(ofKind)).as(kind).isEqualTo(verbs);
    }
  }

  @Test
  void shouldRefuseTheEngineNothing() {
    assertThat(log.stream().filter(AuditLog.Entry::isByEngine))
        .isNotEmpty()
        .allSatisfy(entry -> assertThat(entry.code()).isNotIn(401, 403));
  }

  private static Set<String> verbs(List<Right> rights) {
    return rights.stream().map(Right::verb).collect(toCollection(TreeSet::new));
  }
}
