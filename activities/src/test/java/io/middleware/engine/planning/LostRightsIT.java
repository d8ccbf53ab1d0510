package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.workflows.port.PlanRequest;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plans for an App whose account was granted its rights before, and is refused now. */
@ExtendWith(ApiServer.class)
class LostRightsIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final KubernetesPlanningActivities activities;

  LostRightsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.activities = LocalPlanning.of(engine);
  }

  @Test
  void shouldNotBelieveAtOnceThatAnAccountHasLostItsRights() {
    // Given
    cluster.createPlugin();
    var app = cluster.createApp();
    accept(app);
    cluster.editApp(yaml -> yaml.replace("spec:", "spec:\n  serviceAccountName: nobody").strip());
    // When Then
    assertThatThrownBy(
            () ->
                activities.plan(
                    new PlanRequest(cluster.change(cluster.now(app), "run-1"), Optional.empty())))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> assertThat(e.getType()).isEqualTo(FaultKind.UNAVAILABLE.label()))
        .hasMessageContaining("system:serviceaccount:%s:nobody", cluster.namespace());
  }

  private void accept(App app) {
    var metadata = app.getMetadata();
    var accepted =
        new ConditionBuilder()
            .withType("Accepted")
            .withStatus("True")
            .withReason("SpecValid")
            .withMessage("generation 1: 1 task")
            .withLastTransitionTime("2026-11-21T10:00:00Z")
            .build();
    engine.status.write(
        new AppId(cluster.namespace(), metadata.getName(), metadata.getUid()),
        before ->
            Optional.of(
                AppStatusBuilder.builder()
                    .observedGeneration(1L)
                    .acceptedGeneration(1L)
                    .tasks(List.of())
                    .conditions(List.of(accepted))
                    .build()));
  }
}
