package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import io.middleware.engine.e2e.Temporal;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A user applies an App, upgrades it and deletes it. */
@EndToEnd
class MainJobE2E {
  private final Shop shop;
  private final Temporal temporal;

  MainJobE2E(Shop shop, Temporal temporal) {
    this.shop = shop;
    this.temporal = temporal;
  }

  @Test
  void shouldDeployTheSampleAppInOneRun() {
    // When
    shop.apply(shop.cache());
    var app = shop.awaitReady("cache");
    // Then
    assertThat(app.getStatus().ready()).isEqualTo("9/9");
    assertThat(app.getStatus().phase()).isEqualTo("Running");
    assertThat(app.getStatus().tasks())
        .extracting(TaskStatus::id, TaskStatus::status)
        .containsExactly(
            tuple("1-provision-redis-nodes", "Done"), tuple("1-provision-sentinel", "Done"));
    await().until(() -> temporal.open(shop.namespace).isEmpty());
    assertThat(temporal.runs(shop.namespace, "cache"))
        .singleElement()
        .extracting(run -> run.getStatus())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
    var id = "app/" + shop.namespace + "/cache/1/";
    assertThat(temporal.children(shop.namespace, "cache"))
        .containsExactly(id + "1-provision-redis-nodes", id + "1-provision-sentinel");
    assertThatEveryObjectIsOwnedLabelledAndOurs();
  }

  private void assertThatEveryObjectIsOwnedLabelledAndOurs() {
    var groups = shop.client.resources(Group.class).inNamespace(shop.namespace).list().getItems();
    assertThat(groups).hasSize(3);
    var statefulSets =
        shop.client.apps().statefulSets().inNamespace(shop.namespace).list().getItems();
    assertThat(statefulSets)
        .hasSize(3)
        .allSatisfy(
            set -> {
              assertThat(set.getMetadata().getOwnerReferences())
                  .singleElement()
                  .satisfies(owner -> assertThat(owner.getKind()).isEqualTo("Group"));
              assertThat(set.getMetadata().getLabels())
                  .containsEntry(Labels.APP, "cache")
                  .containsKeys(Labels.COMPONENT, Labels.GROUP, Labels.PLUGIN);
              assertThat(set.getMetadata().getManagedFields())
                  .anySatisfy(
                      field -> {
                        assertThat(field.getManager()).isEqualTo("middleware-engine");
                        assertThat(field.getOperation()).isEqualTo("Apply");
                      });
            });
    assertThat(shop.client.resources(Component.class).inNamespace(shop.namespace).list().getItems())
        .hasSize(2)
        .allSatisfy(
            component ->
                assertThat(component.getMetadata().getOwnerReferences())
                    .extracting(OwnerReference::getKind)
                    .containsExactly("App", "Namespace"));
  }

  @Test
  void shouldDoNothingWhenTheSameFileIsAppliedAgain() throws Exception {
    // Given
    shop.apply(shop.cache());
    shop.awaitReady("cache");
    await().until(() -> temporal.open(shop.namespace).isEmpty());
    shop.awaitQuiet();
    var later = AuditLog.fromNow();
    // When
    shop.apply(shop.cache());
    // Then
    await()
        .during(Duration.ofSeconds(3))
        .atMost(Duration.ofSeconds(30))
        .until(() -> later.writes(shop.namespace).stream().allMatch(AuditLog.Entry::isByWatcher));
    assertThat(temporal.runs(shop.namespace, "cache")).hasSize(1);
  }

  @Test
  void shouldUpgradeReplicasBeforeThePrimaryOnePodAtATime() {
    // Given
    var story = new Story(shop).deployed();
    // When
    story.upgrading();
    // Then
    story.endsWell();
    assertThat(shop.status("cache").tasks())
        .extracting(TaskStatus::id)
        .containsExactly("2-versionupgrade-sentinel", "2-versionupgrade-redis-nodes");
  }

  @Test
  void shouldDeleteInStopOrderAndLeaveNothingButTheVolumes() {
    // Given
    shop.apply(shop.cache());
    var first = shop.awaitReady("cache");
    var deletion = AuditLog.fromNow();
    // When
    shop.kubectl("", "delete", "app", "cache", "-n", shop.namespace, "--timeout=4m");
    // Then
    assertThat(
            deletion.writes(shop.namespace).stream()
                .filter(w -> w.resource().equals("statefulsets") && w.verb().equals("delete"))
                .map(AuditLog.Entry::name)
                .distinct())
        .containsExactly(
            "cache-sentinel-all", "cache-redis-nodes-shard-0", "cache-redis-nodes-shard-1");
    await().until(() -> temporal.open(shop.namespace).isEmpty());
    assertThat(labelled()).isEmpty();
    // and the same name again
    shop.apply(shop.cache());
    assertThat(shop.awaitReady("cache").getMetadata().getUid())
        .isNotEqualTo(first.getMetadata().getUid());
  }

  private List<String> labelled() {
    return shop.kubectl(
            "",
            "get",
            "statefulsets,services,configmaps,poddisruptionbudgets,pods,components,groups",
            "-n",
            shop.namespace,
            "-l",
            Labels.APP + "=cache",
            "-o",
            "name")
        .lines()
        .filter(line -> line.contains("/"))
        .toList();
  }
}
