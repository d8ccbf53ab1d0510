package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which secrets can be rotated. */
@ExtendWith(ApiServer.class)
class RotationPlanningIT {
  private final LocalNamespace cluster;

  RotationPlanningIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @Test
  void shouldRotateWhatIsGenerated() {
    // When
    var plan = ((Planned) plan(", rotates: true")).plan();
    // Then
    assertThat(plan.tasks())
        .singleElement()
        .satisfies(
            task -> {
              assertThat(task.type()).isEqualTo(ChangeType.ROTATE_SECRETS);
              assertThat(task.description())
                  .isEqualTo("rotate password of db; the earlier ones work for 10m more");
              assertThat(task.policy().timeout()).isGreaterThan(Duration.ofMinutes(10));
            });
  }

  @Test
  void shouldRefuseAPluginThatIsNotMadeForIt() {
    assertThat(refusal())
        .startsWith("spec.target: no secret can be rotated: ")
        .contains("Plugin redis 1.0.0 does not have rotates");
  }

  private String refusal() {
    var rejected = (Rejected) plan("");
    assertThat(rejected.reason()).isEqualTo("OperationRefused");
    return rejected.message();
  }

  private PlanAnswer plan(String rotates) {
    var parameter = "    - {name: password, type: secret, effect: Hot%s}\n".formatted(rotates);
    var scene =
        new OperationScene(
            cluster,
            plugin -> plugin.replace("    templates:\n", parameter + "    templates:\n"),
            app -> app.replace("maxmemory:", "password: {generate: 24}, maxmemory:"));
    return scene.plan(scene.operation("rotate-1", OperationAction.ROTATE_SECRETS, null));
  }
}
