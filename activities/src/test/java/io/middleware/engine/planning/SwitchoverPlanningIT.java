package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.operation.OperationTarget;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Of which groups a primary can be handed over. */
@ExtendWith(ApiServer.class)
class SwitchoverPlanningIT {
  private final LocalNamespace cluster;

  SwitchoverPlanningIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @Test
  void shouldHandOverToThePodThatIsNamed() {
    // Given
    var scene = scene();
    // When
    var plan = ((Planned) scene.plan(switchover(scene, "cache-db-g-1"))).plan();
    // Then
    assertThat(plan.tasks())
        .singleElement()
        .satisfies(
            task -> {
              assertThat(task.type()).isEqualTo(ChangeType.SWITCHOVER);
              assertThat(task.description()).isEqualTo("switchover db: to pod cache-db-g-1");
            });
  }

  @Test
  void shouldRefuseAPodThatTheTargetDoesNotHave() {
    var scene = scene();
    assertThat(refusal(scene, switchover(scene, "cache-db-g-2")))
        .isEqualTo(
            "spec.target.pods: the target has no pod cache-db-g-2; there are: cache-db-g-0; cache-db-g-1");
  }

  @Test
  void shouldRefuseWhereThePluginHasNoSwitchover() {
    var scene = new OperationScene(cluster);
    assertThat(refusal(scene, switchover(scene)))
        .isEqualTo(
            "spec.action: Plugin redis 1.0.0 does not have switchover: true, neither for all types "
                + "nor for redis, so its agents cannot switch over");
  }

  @Test
  void shouldRefuseATypeThatHasNone() {
    var scene = new OperationScene(cluster, plugin -> ofType(plugin, true, false));
    assertThat(refusal(scene, switchover(scene)))
        .isEqualTo(
            "spec.target: component db is of type redis, for which Plugin redis 1.0.0 has "
                + "switchover: false, so its agents cannot switch over");
  }

  @Test
  void shouldHandOverWhereOnlyTheTypeHasOne() {
    var scene = new OperationScene(cluster, plugin -> ofType(plugin, false, true));
    assertThat(scene.plan(switchover(scene))).isInstanceOf(Planned.class);
  }

  private static String ofType(String plugin, boolean ofPlugin, boolean ofType) {
    return plugin.replace(
        "  componentTypes:\n  - name: redis\n",
        "  switchover: %s\n  componentTypes:\n  - name: redis\n    switchover: %s\n"
            .formatted(ofPlugin, ofType));
  }

  @Test
  void shouldRefuseAGroupOfOnePod() {
    var scene =
        new OperationScene(
            cluster,
            plugin ->
                plugin
                    .replace("  componentTypes:", "  switchover: true\n  componentTypes:")
                    .replace("replicas: \"${replicas}\"", "replicas: 1"));
    assertThat(refusal(scene, switchover(scene)))
        .isEqualTo("spec.target: group g of component db has one pod, so no other can take over");
  }

  private OperationScene scene() {
    return new OperationScene(
        cluster,
        plugin -> plugin.replace("  componentTypes:", "  switchover: true\n  componentTypes:"));
  }

  private static ChangeRef switchover(OperationScene scene, String... pods) {
    return scene.operation(
        "switchover-1",
        OperationAction.SWITCHOVER,
        new OperationTarget("db", null, pods.length == 0 ? null : List.of(pods)));
  }

  private static String refusal(OperationScene scene, ChangeRef change) {
    var rejected = (Rejected) scene.plan(change);
    assertThat(rejected.reason()).isEqualTo("OperationRefused");
    return rejected.message();
  }
}
