package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import io.middleware.engine.e2e.Temporal;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** An App is deleted at any moment: the deletion ends, and what its policy keeps remains. */
@EndToEnd
@Order(1)
class DeletionE2E {
  private static final List<String> VOLUMES =
      Stream.of("shard-0", "shard-1")
          .flatMap(
              shard ->
                  Stream.of("0", "1", "2")
                      .map(n -> "persistentvolumeclaim/data-cache-redis-nodes-" + shard + "-" + n))
          .toList();

  private final Shop shop;
  private final Temporal temporal;

  DeletionE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  @Test
  void shouldEndAChangeThatIsUnderwayAndKeepTheVolumes() {
    // Given
    var story = new Story(shop).deployed().upgrading("interval: 60s").afterRestarts(1);
    var first = shop.app("cache");
    var deletion = AuditLog.fromNow();
    // When
    delete("cache");
    // Then
    assertThat(stopped(deletion))
        .containsExactly(
            "cache-sentinel-all", "cache-redis-nodes-shard-0", "cache-redis-nodes-shard-1");
    assertThat(first.getStatus().change().outcome()).as("ended before").isNull();
    assertThat(deletion.restarts(shop.namespace)).isEmpty();
    assertThat(temporal.children(shop.namespace, "cache"))
        .noneMatch(id -> id.contains("/2-versionupgrade-redis-nodes"));
    assertThatOnlyThisIsLeft(VOLUMES);
    // and the same name at once
    shop.apply(story.upgraded());
    var second = shop.awaitReady("cache");
    assertThat(second.getMetadata().getUid()).isNotEqualTo(first.getMetadata().getUid());
    assertThat(second.getStatus().ready()).isEqualTo("9/9");
    assertThat(second.getStatus().change().generation()).isEqualTo(1);
  }

  @Test
  void shouldLeaveNothingLabelledAtAllWhenThePolicyIsDelete() {
    // Given
    shop.apply(
        shop.cache()
            .replace("spec:\n", "spec:\n  deletionPolicy: Delete\n")
            .replace("replicas: 3", "replicas: 1"));
    shop.awaitReady("cache");
    eventually().untilAsserted(() -> assertThat(labelled()).anyMatch(VOLUMES::contains));
    // When
    delete("cache");
    // Then
    assertThatOnlyThisIsLeft(List.of());
  }

  /** As Argo CD deletes: the garbage collector is to delete what the App owns. */
  @Test
  void shouldKeepTheOrderWhereTheCollectorIsToDelete() {
    // Given
    shop.apply(
        shop.cache()
            .replace("spec:\n", "spec:\n  deletionPolicy: Delete\n")
            .replace("replicas: 3", "replicas: 1"));
    shop.awaitReady("cache");
    var deletion = AuditLog.fromNow();
    // When
    shop.kubectl(
        "", "delete", "app", "cache", "-n", shop.namespace, "--cascade=foreground", "--timeout=4m");
    // Then
    assertThat(deletion.in(shop.namespace))
        .filteredOn(w -> w.verb().equals("delete") && w.succeeded())
        .filteredOn(w -> List.of("components", "groups", "statefulsets").contains(w.resource()))
        .allMatch(AuditLog.Entry::isByEngine);
    assertThat(stopped(deletion)).first().isEqualTo("cache-sentinel-all");
    assertThatOnlyThisIsLeft(List.of());
  }

  @Test
  void shouldTakeAwayPodsThatAStatefulSetHasLeftBehind() {
    // Given
    shop.apply(shop.small("left"));
    shop.awaitReady("left");
    shop.kubectl(
        "", "delete", "statefulset", "left-sentinel-all", "-n", shop.namespace, "--cascade=orphan");
    await().until(() -> shop.pods("left").getFirst().getMetadata().getOwnerReferences().isEmpty());
    // When
    delete("left");
    // Then
    assertThat(shop.pods("left")).isEmpty();
  }

  @Test
  void shouldNameWhatHoldsItAndNotLetGoBeforeThatIsGone() {
    // Given
    shop.apply(shop.small("held").plus("  change: {timeouts: {Remove: 20s}}\n"));
    shop.awaitReady("held");
    patchPod("held-sentinel-all-0", "[\"example.com/hold\"]");
    // When
    shop.kubectl("", "delete", "app", "held", "-n", shop.namespace, "--wait=false");
    // Then
    assertThatThePodIsNamed("2-remove-sentinel");
    // and again, when the teardown is repeated
    removeWithin("21s");
    assertThatThePodIsNamed("3-remove-sentinel");
    // and when nothing holds it any more
    patchPod("held-sentinel-all-0", "null");
    removeWithin("60s");
    await().until(() -> shop.app("held") == null);
    assertThatOnlyThisIsLeft(List.of());
  }

  private void assertThatThePodIsNamed(String task) {
    var blocker = "pod held-sentinel-all-0: is being deleted, held by finalizer example.com/hold";
    assertThat(shop.awaitTask("held", task, "Failed").error().message()).contains(blocker);
    var app = shop.awaitApp("held", a -> Shop.condition(a, "Stalled").isPresent());
    assertThat(Shop.condition(app, "Stalled").orElseThrow().getMessage()).contains(blocker);
  }

  /** An edit, which has the teardown repeated at once. */
  private void removeWithin(String time) {
    patch(
        "app",
        "held",
        "{\"spec\":{\"change\":{\"timeouts\":{\"Remove\":\"%s\"}}}}".formatted(time));
  }

  private void patchPod(String pod, String finalizers) {
    patch("pod", pod, "{\"metadata\":{\"finalizers\":%s}}".formatted(finalizers));
  }

  private void patch(String kind, String name, String patch) {
    shop.kubectl("", "patch", kind, name, "-n", shop.namespace, "--type=merge", "-p=" + patch);
  }

  @Test
  void shouldDeleteWhatHasOnlyJustBeenApplied() {
    // Given
    shop.apply(shop.cache());
    // When
    delete("cache");
    // Then
    await().until(() -> temporal.open(shop.namespace).isEmpty());
    eventually()
        .untilAsserted(() -> assertThat(labelled()).allMatch(name -> VOLUMES.contains(name)));
  }

  @Test
  void shouldDeleteAnAppThatWasRejected() {
    // Given
    shop.apply(shop.small("unwanted").replace("version: 1.0.0", "version: 9.9.9"));
    shop.awaitApp("unwanted", app -> Shop.condition(app, "Accepted").isPresent());
    // When
    delete("unwanted");
    // Then
    assertThat(shop.app("unwanted")).isNull();
    await().until(() -> temporal.open(shop.namespace).isEmpty());
  }

  @Test
  void shouldNotNeedThePluginNorTheAgents() {
    // Given
    var plugin = shop.namespace; // one of its own
    var sample =
        shop.sample("plugin-redis.yaml")
            .replace("name: redis-v1.0.0", "name: " + plugin + "-v1.0.0")
            .replace("  name: redis\n  version", "  name: " + plugin + "\n  version");
    shop.applyPlugin(sample);
    shop.apply(
        shop.small("cache")
            .replace(
                "{name: redis, version: 1.0.0}", "{name: %s, version: 1.0.0}".formatted(plugin)));
    shop.awaitReady("cache");
    assertThat(shop.app("cache").getSpec().plugin().name()).isEqualTo(plugin);
    shop.kubectl(
        "",
        "annotate",
        "pod",
        "--all",
        "-n",
        shop.namespace,
        "agent.local.middleware.io/fault=dead");
    shop.kubectl("", "delete", "plugin", plugin + "-v1.0.0", "-n", "middleware-system");
    // When
    delete("cache");
    // Then
    assertThatOnlyThisIsLeft(List.of());
  }

  @Test
  void shouldEndWithItsNamespace() {
    // Given
    shop.apply(shop.small("one"));
    shop.awaitReady("one");
    // When
    shop.kubectl("", "delete", "namespace", shop.namespace, "--timeout=4m");
    // Then
    await().until(() -> temporal.open(shop.namespace).isEmpty());
  }

  private void delete(String app) {
    shop.kubectl("", "delete", "app", app, "-n", shop.namespace, "--timeout=4m");
  }

  private List<String> stopped(AuditLog log) {
    return log.writes(shop.namespace).stream()
        .filter(w -> w.resource().equals("statefulsets") && w.verb().equals("delete"))
        .map(AuditLog.Entry::name)
        .distinct() // a step that is repeated deletes a workload again
        .toList();
  }

  /** The garbage collector needs a moment for what the App alone owned. */
  private void assertThatOnlyThisIsLeft(List<String> names) {
    await().until(() -> temporal.open(shop.namespace).isEmpty());
    eventually()
        .untilAsserted(() -> assertThat(labelled()).containsExactlyInAnyOrderElementsOf(names));
  }

  /** Another test may make a kind just now, which the server does not serve yet. */
  private static ConditionFactory eventually() {
    return await().ignoreExceptions();
  }

  /** Objects of all kinds that there are. */
  private List<String> labelled() {
    var kinds =
        shop.kubectl("", "api-resources", "--namespaced", "--verbs=list", "-o", "name")
            .lines()
            .filter(kind -> !kind.startsWith("events"))
            .toList();
    return shop.kubectl(
            "",
            "get",
            String.join(",", kinds),
            "-n",
            shop.namespace,
            "-l",
            Labels.APP,
            "-o",
            "name")
        .lines()
        .filter(line -> line.matches("[^ ]+/[^ ]+"))
        .toList();
  }
}
