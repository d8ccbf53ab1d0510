package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Labels;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What agents do before the engine touches their pods: switch over before a replacement, drain
 * before a removal.
 */
@EndToEnd
class SwitchoverE2E {
  private static final String UPGRADE = "2-versionupgrade-sentinel";
  private static final String PRIMARY = "one-sentinel-all-0";
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

  @BeforeEach
  void open() {
    shop.apply(three());
    shop.awaitReady("one");
    change = AuditLog.fromNow();
  }

  @Test
  void shouldLetThePrimarySwitchOverBeforeItIsEvictedLast() {
    // When
    shop.apply(upgraded());
    // Then
    shop.awaitReady("one");
    assertThat(steps()).isEqualTo(PRIMARY_LAST);
    assertThat(marked("took-over-from")).containsExactly("one-sentinel-all-1");
    assertThat(shop.events("one", "PrimarySwitchedOver"))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getMessage())
                    .startsWith("pod one-sentinel-all-0 has switched over to one-sentinel-all-1"));
  }

  @Test
  void shouldNotTouchAPrimaryThatRefusesUntilItDoesNot() {
    // Given
    fault("switchover-refused", PRIMARY);
    // When
    shop.apply(upgraded());
    // Then
    var task = shop.awaitTask("one", UPGRADE, "Failed");
    assertThat(task.error().reason()).isEqualTo("AgentRefused");
    assertThat(task.error().message())
        .contains("pod one-sentinel-all-0 is the primary and has not switched over")
        .contains("no replica has caught up");
    assertThat(change.restarts(shop.namespace))
        .containsExactly("one-sentinel-all-1", "one-sentinel-all-2");
    // When
    fault("none", PRIMARY);
    shop.annotate("one", Labels.RETRY_CONTROL, "{\"retryTaskIds\": [\"%s\"]}".formatted(UPGRADE));
    // Then
    shop.awaitApp(
        "one",
        app ->
            "Succeeded".equals(app.getStatus().change().outcome())
                && Shop.condition(app, "Ready").orElseThrow().getStatus().equals("True"));
    assertThat(steps()).isEqualTo(PRIMARY_LAST);
  }

  @Test
  void shouldShowASwitchoverThatTakesItsTimeAndWaitForIt() {
    // Given
    fault("switchover-slow", PRIMARY);
    // When
    shop.apply(upgraded());
    // Then
    shop.awaitApp(
        "one",
        app ->
            "pod one-sentinel-all-0: switch over: waiting (a fault set on the pod)"
                .equals(app.getStatus().change().progress()));
    assertThat(shop.awaitReady("one").getStatus().change().progress()).isNull();
    assertThat(steps()).endsWith("mark one-sentinel-all-1", "evict one-sentinel-all-0");
  }

  @Test
  void shouldDrainPodsBeforeTheyGoForGood() {
    // When
    shop.apply(three().replace("replicas: 3", "replicas: 1"));
    // Then
    shop.awaitReady("one");
    assertThat(steps())
        .containsExactly(
            "mark one-sentinel-all-2", "mark one-sentinel-all-1", "write one-sentinel-all");
  }

  @Test
  void shouldLetThePrimarySwitchOverBeforeItGoesForGood() {
    // Given a primary that is not the first pod
    shop.apply(upgraded());
    shop.awaitReady("one");
    assertThat(marked("took-over-from")).containsExactly("one-sentinel-all-1");
    change = AuditLog.fromNow();
    // When
    shop.apply(upgraded().replace("replicas: 3", "replicas: 1"));
    // Then
    shop.awaitReady("one");
    assertThat(steps())
        .containsExactly(
            "mark one-sentinel-all-0",
            "mark one-sentinel-all-2",
            "mark one-sentinel-all-1",
            "write one-sentinel-all");
    assertThat(shop.events("one", "PrimarySwitchedOver"))
        .anySatisfy(
            event ->
                assertThat(event.getMessage())
                    .startsWith(
                        "pod one-sentinel-all-1 has switched over to one-sentinel-all-0, because it is about to be removed"));
  }

  @Test
  void shouldDrainNoPodWhenThePrimaryThatGoesRefuses() {
    // Given a primary that is not the first pod
    shop.apply(upgraded());
    shop.awaitReady("one");
    fault("switchover-refused", "one-sentinel-all-1");
    change = AuditLog.fromNow();
    // When
    shop.apply(upgraded().replace("replicas: 3", "replicas: 1"));
    // Then
    var task = shop.awaitTask("one", "3-resources-sentinel", "Failed");
    assertThat(task.error().message())
        .contains("pod one-sentinel-all-1 is to be removed", "no pod was removed");
    assertThat(steps()).isEmpty();
    fault("none", "one-sentinel-all-1");
  }

  @Test
  void shouldDrainTheGroupThatGoesWhileAnotherStays() {
    // Given
    var two =
        three()
            .replace(
                "{name: all, replicas: 3}", "{name: all, replicas: 3}, {name: b, replicas: 2}");
    shop.apply(two);
    shop.awaitReady("one");
    change = AuditLog.fromNow();
    // When
    shop.apply(three());
    // Then
    shop.awaitReady("one");
    assertThat(steps())
        .containsExactly("mark one-sentinel-b-1", "mark one-sentinel-b-0", "write one-sentinel-b");
  }

  @Test
  void shouldLetAPodGoThatNobodyCanDrain() {
    // Given
    fault("unavailable", "one-sentinel-all-2");
    // When
    shop.apply(three().replace("replicas: 3", "replicas: 1"));
    // Then
    shop.awaitReady("one");
    assertThat(steps()).containsExactly("mark one-sentinel-all-1", "write one-sentinel-all");
    assertThat(shop.events("one", "PodDrained"))
        .extracting(event -> event.getMessage())
        .containsExactly("pod one-sentinel-all-1 is drained by its agent; it is removed next");
    assertThat(shop.events("one", "PodRemoved")).hasSize(2);
    assertThat(shop.events("one", "PodNotDrained"))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getMessage())
                    .startsWith("pod one-sentinel-all-2 is removed without a drain")
                    .contains("UNAVAILABLE"));
  }

  private void fault(String fault, String pod) {
    shop.annotatePods("agent.local.middleware.io/fault=" + fault, pod);
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
