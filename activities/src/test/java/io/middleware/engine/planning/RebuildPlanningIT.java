package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.operation.OperationTarget;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which pods can be made anew. */
@ExtendWith(ApiServer.class)
class RebuildPlanningIT {
  private final LocalNamespace cluster;

  RebuildPlanningIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @Test
  void shouldMakeTheNamedPodsAnew() {
    // When
    var plan = ((Planned) plan(UnaryOperator.identity(), "cache-db-g-0", "cache-db-g-1")).plan();
    // Then
    assertThat(plan.tasks())
        .singleElement()
        .satisfies(
            task -> {
              assertThat(task.type()).isEqualTo(ChangeType.REBUILD);
              assertThat(task.description())
                  .isEqualTo("rebuild db: pods cache-db-g-0, cache-db-g-1");
            });
  }

  @Test
  void shouldRefuseTheLastCopy() {
    assertThat(
            refusal(
                plugin -> plugin.replace("replicas: \"${replicas}\"", "replicas: 1"),
                "cache-db-g-0"))
        .isEqualTo(
            "spec.target.pods: group g of component db has one pod, which is the last copy of its data");
  }

  @Test
  void shouldRefuseAPodWithoutVolumes() {
    assertThat(
            refusal(
                plugin ->
                    plugin
                        .replaceAll("(?s) +volumeClaimTemplates:.*", "")
                        .replace("volumeMounts: [{name: data, mountPath: /data}]", "env: []"),
                "cache-db-g-0"))
        .isEqualTo("spec.target.pods: group g of component db has no volumes: use Restart");
  }

  @Test
  void shouldRefuseAPodThatTheTargetDoesNotHave() {
    assertThat(refusal(UnaryOperator.identity(), "cache-db-g-2"))
        .isEqualTo(
            "spec.target.pods: the target has no pod cache-db-g-2; there are: cache-db-g-0; cache-db-g-1");
  }

  private String refusal(UnaryOperator<String> plugin, String... pods) {
    var rejected = (Rejected) plan(plugin, pods);
    assertThat(rejected.reason()).isEqualTo("OperationRefused");
    return rejected.message();
  }

  private PlanAnswer plan(UnaryOperator<String> plugin, String... pods) {
    var scene = new OperationScene(cluster, plugin);
    var target = new OperationTarget("db", null, List.of(pods));
    return scene.plan(scene.operation("rebuild-1", OperationAction.REBUILD, target));
  }
}
