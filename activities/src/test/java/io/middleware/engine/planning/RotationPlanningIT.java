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
import java.util.function.UnaryOperator;
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
    var plan = ((Planned) plan(", rotates: true", UnaryOperator.identity())).plan();
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
    assertThat(refusal("", UnaryOperator.identity()))
        .startsWith("spec.target: no secret can be rotated: ")
        .contains("Plugin redis 1.0.0 does not have rotates");
  }

  @Test
  void shouldRefuseAPluginWithoutAgents() {
    assertThat(refusal(", rotates: true", plugin -> plugin.replaceAll("(?m)^  agent: .*\n", "")))
        .isEqualTo("spec.action: Plugin redis 1.0.0 has no agents, which would rotate its secrets");
  }

  private String refusal(String rotates, UnaryOperator<String> edit) {
    var rejected = (Rejected) plan(rotates, edit);
    assertThat(rejected.reason()).isEqualTo("OperationRefused");
    return rejected.message();
  }

  private PlanAnswer plan(String rotates, UnaryOperator<String> edit) {
    var parameter = "    - {name: password, type: secret, effect: Hot%s}\n".formatted(rotates);
    var scene =
        new OperationScene(
            cluster,
            plugin ->
                edit.apply(plugin.replace("    templates:\n", parameter + "    templates:\n")),
            app -> app.replace("maxmemory:", "password: {generate: 24}, maxmemory:"));
    return scene.plan(scene.operation("rotate-1", OperationAction.ROTATE_SECRETS, null));
  }
}
