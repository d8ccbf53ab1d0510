package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.middleware.engine.api.ActionRun;
import io.middleware.engine.api.Operation;
import io.middleware.engine.api.OperationStatus;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An Operation runs an action that the Plugin offers: on each pod once, whatever happens. */
@EndToEnd
class ActionE2E {
  private static final String POD = "locks-ensemble-main-";
  private static final String FAULT = "agent.local.middleware.io/fault";
  private static final String ACTIONS_RUN = "agent.local.middleware.io/actions-run";

  private final Shop shop;

  ActionE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeEach
  void deploy() {
    shop.applyPlugin(shop.file("plugins/quorum/plugin.yaml"));
    shop.apply(shop.file("plugins/quorum/app.yaml"));
    shop.awaitReady("locks");
  }

  @Test
  void shouldRunOnEachPodTheLeaderLast() {
    // When
    shop.apply(shop.file("k8s/samples/operation-action.yaml"));
    // Then
    var status = ends("snapshot-1", "Succeeded");
    assertThat(status.runs())
        .extracting(ActionRun::pod, ActionRun::status, ActionRun::exitCode, ActionRun::output)
        .containsExactly(
            tuple(POD + "1", "Succeeded", 0, "keep=5\n"),
            tuple(POD + "2", "Succeeded", 0, "keep=5\n"),
            tuple(POD + "0", "Succeeded", 0, "keep=5\n"));
    assertThat(actionsRun()).containsOnly("1 snapshot keep=5");
    assertThat(shop.app("locks").getStatus().change().generation()).isEqualTo(1);
  }

  @Test
  void shouldStopAtTheFirstPodWhereItFails() {
    // Given
    shop.annotatePods(FAULT + "=action-fails", POD + "2");
    // When
    snapshot("snapshot-1", "");
    // Then
    var status = ends("snapshot-1", "Failed");
    assertThat(status.message())
        .contains("action snapshot on pod " + POD + "2 failed with exit code 3: it failed");
    assertThat(status.tasks().getFirst().error().reason()).isEqualTo("ActionFailed");
    assertThat(status.runs())
        .extracting(ActionRun::pod, ActionRun::status, ActionRun::exitCode)
        .containsExactly(tuple(POD + "1", "Succeeded", 0), tuple(POD + "2", "Failed", 3));
  }

  @Test
  void shouldWaitForAnAgentAndSaySo() {
    // Given
    shop.annotatePods(FAULT + "=dead", POD + "1");
    // When
    snapshot("snapshot-1", "");
    // Then
    awaits("snapshot-1", it -> it.runs() != null && it.runs().getFirst().message() != null);
    // When
    shop.annotatePods(FAULT + "-", POD + "1");
    // Then
    assertThat(ends("snapshot-1", "Succeeded").runs())
        .extracting(ActionRun::attempts)
        .containsOnly(1);
  }

  @Test
  void shouldEndWhenItsTimeIsOver() {
    assertThat(timedOut("action-hangs").runs())
        .extracting(ActionRun::status)
        .containsExactly("Cancelled");
  }

  @Test
  void shouldEndWhenItsTimeIsOverAndTheAgentIsStillAway() {
    var status = timedOut("dead");
    assertThat(status.message()).contains(POD + "1");
    assertThat(status.runs()).extracting(ActionRun::pod).containsExactly(POD + "1");
  }

  @Test
  void shouldRunOnAnotherPodWhenItsPodGoesAway() {
    // Given
    shop.annotatePods(FAULT + "=action-hangs", POD + "1", POD + "2");
    shop.apply(operation("report-1", "report", ""));
    var first =
        awaits("report-1", it -> it.runs() != null && !it.runs().isEmpty()).runs().getFirst();
    shop.annotatePods(FAULT + "-", POD + (first.pod().endsWith("1") ? "2" : "1"));
    // When
    shop.kubectl("", "delete", "pod", first.pod(), "-n", shop.namespace, "--wait=false");
    // Then on the other follower, or on the successor, whichever is there first
    assertThat(ends("report-1", "Succeeded").runs())
        .filteredOn(run -> run.status().equals("Succeeded"))
        .singleElement()
        .extracting(ActionRun::uid)
        .isNotEqualTo(first.uid());
  }

  @Test
  void shouldRefuseWhatThePluginDoesNotOffer() {
    // When
    snapshot("snapshot-1", ", parameters: {keep: \"500\"}");
    shop.apply(operation("purge-1", "purge", ""));
    // Then
    assertThat(ends("snapshot-1", "Rejected").message())
        .contains("spec.parameters.keep must be at most 100, was 500");
    assertThat(ends("purge-1", "Rejected").message())
        .contains("has no action purge", "it has: snapshot, report, check (type ensemble)");
  }

  /** An action with little time, and this fault of the first pod's agent. */
  private OperationStatus timedOut(String fault) {
    shop.annotatePods(FAULT + "=" + fault, POD + "1");
    snapshot("snapshot-1", ", timeout: 5s, maxRetries: 1");
    var status = ends("snapshot-1", "Failed");
    assertThat(status.tasks().getFirst().error().reason()).isEqualTo("TaskTimedOut");
    return status;
  }

  private void snapshot(String name, String fields) {
    shop.apply(operation(name, "snapshot", fields));
  }

  private Yaml operation(String name, String action, String fields) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: Operation
        metadata: {name: %s, namespace: %s}
        spec: {app: locks, action: %s%s}
        """
            .formatted(name, shop.namespace, action, fields));
  }

  private List<String> actionsRun() {
    return shop.pods("locks").stream()
        .map(pod -> pod.getMetadata().getAnnotations().get(ACTIONS_RUN))
        .toList();
  }

  private OperationStatus ends(String name, String phase) {
    var status = awaits(name, it -> it.completedAt() != null);
    assertThat(status.phase()).as(status.message()).isEqualTo(phase);
    return status;
  }

  private OperationStatus awaits(String name, Predicate<OperationStatus> wanted) {
    return Awaitility.await("Operation " + name)
        .atMost(Shop.PATIENCE)
        .until(
            () ->
                shop.client
                    .resources(Operation.class)
                    .inNamespace(shop.namespace)
                    .withName(name)
                    .get()
                    .getStatus(),
            status -> status != null && wanted.test(status));
  }
}
