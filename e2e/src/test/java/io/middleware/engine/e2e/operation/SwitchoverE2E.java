package io.middleware.engine.e2e.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What agents do before the engine touches their pods: switch over before a replacement, drain
 * before a removal.
 */
@EndToEnd
class SwitchoverE2E {
  private static final List<String> PRIMARY_LAST =
      List.of(
          "evict one-sentinel-all-1",
          "evict one-sentinel-all-2",
          "mark one-sentinel-all-1",
          "evict one-sentinel-all-0");

  private final Shop shop;
  private AuditLog change;

  SwitchoverE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldLetThePrimarySwitchOverBeforeItIsEvictedLastAndBeforeItGoesForGood() {
    // Given
    shop.apply(three());
    shop.awaitReady("one");
    change = AuditLog.fromNow();
    // When
    shop.apply(upgraded());
    // Then
    shop.awaitReady("one");
    assertThat(steps()).isEqualTo(PRIMARY_LAST);
    assertThat(marked("took-over-from")).containsExactly("one-sentinel-all-1");
    assertThatItSwitchedOver("pod one-sentinel-all-0 has switched over to one-sentinel-all-1");
    // and when the primary is not the first pod, and goes for good
    change = AuditLog.fromNow();
    shop.apply(upgraded().replace("replicas: 3", "replicas: 1"));
    shop.awaitReady("one");
    assertThat(steps())
        .containsExactly(
            "mark one-sentinel-all-0",
            "mark one-sentinel-all-2",
            "mark one-sentinel-all-1",
            "write one-sentinel-all");
    assertThatItSwitchedOver(
        "pod one-sentinel-all-1 has switched over to one-sentinel-all-0, because it is about to be removed");
  }

  private void assertThatItSwitchedOver(String message) {
    assertThat(shop.events("one", "PrimarySwitchedOver"))
        .extracting(Event::getMessage)
        .filteredOn(it -> it.startsWith(message))
        .hasSize(1);
  }

  /** What agents did, and what the engine did to pods and, where it did not to any, workloads. */
  private List<String> steps() {
    var evictions = !change.restarts(shop.namespace).isEmpty();
    return change.in(shop.namespace).stream()
        .filter(AuditLog.Entry::succeeded)
        .filter(entry -> !entry.dryRun())
        .flatMap(entry -> step(entry, evictions).stream())
        .toList();
  }

  private static List<String> step(AuditLog.Entry entry, boolean evictions) {
    if (entry.resource().equals("pods/eviction")) {
      return List.of("evict " + entry.name());
    }
    if (entry.resource().equals("pods") && entry.user().contains(":middleware-simulator")) {
      return List.of("mark " + entry.name());
    }
    return entry.isByEngine() && entry.resource().equals("statefulsets") && !evictions
        ? List.of("write " + entry.name())
        : List.of();
  }

  private List<String> marked(String mark) {
    return shop.pods("one").stream()
        .filter(
            pod ->
                pod.getMetadata().getAnnotations().containsKey("agent.local.middleware.io/" + mark))
        .map(pod -> pod.getMetadata().getName())
        .toList();
  }

  private Yaml upgraded() {
    return three().replace("version: \"7.0\"", "version: \"7.2\"");
  }

  private Yaml three() {
    return shop.small("one").replace("replicas: 1", "replicas: 3");
  }
}
