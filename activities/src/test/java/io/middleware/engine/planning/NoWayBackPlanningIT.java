package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.activities.apiserver.FakeWorkload;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.resources.LocalWriters;
import io.middleware.engine.api.App;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An upgrade of two pods to 7.2, from which there is no way back to 7.0, is held; and the App is
 * edited back. The test is the StatefulSet's controller.
 */
@ExtendWith(ApiServer.class)
class NoWayBackPlanningIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private FakeWorkload workload;
  private App app;

  NoWayBackPlanningIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void hold() {
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                "upgradesFrom: [\"7.0\"]}", "upgradesFrom: [\"7.0\"], noWayBackTo: [\"7.0\"]}"));
    app = cluster.createApp();
    var writers = new LocalWriters(engine);
    writers.end(writers.openWithGroup(app, ChangeType.PROVISION));
    workload = new FakeWorkload(cluster, 2);
    workload.create(0, "of-7.0", true);
    workload.create(1, "of-7.0", true);
    app = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"7.2\""));
    writers.openWithGroup(app, ChangeType.VERSION_UPGRADE);
    workload.report("of-7.2", 2);
  }

  @Test
  void shouldGoBackBeforeTheFirstPodHasStarted() {
    assertThat(editedBack())
        .isInstanceOfSatisfying(
            PlanAnswer.Planned.class,
            plan ->
                assertThat(plan.plan().tasks())
                    .extracting(ChangeTask::description)
                    .singleElement()
                    .asString()
                    .startsWith("runtime redis 7.2 → 7.0 on db"));
  }

  @Test
  void shouldRefuseToGoBackOnceAPodHasStarted() {
    // Given a pod that has died by itself
    cluster.named(Pod.class, "cache-db-g-1").withGracePeriod(0).delete();
    workload.create(1, "of-7.2", false);
    // When Then
    assertRefused();
  }

  private void assertRefused() {
    assertThat(editedBack())
        .isInstanceOfSatisfying(
            PlanAnswer.Rejected.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo("NoWayBack");
              assertThat(refused.message())
                  .startsWith(
                      "spec.runtime.version: db cannot go back to redis 7.0: group g has started with redis 7.2, from which there is no way back");
            });
  }

  private PlanAnswer editedBack() {
    app = cluster.editApp(yaml -> yaml);
    return LocalPlanning.of(engine).plan(new PlanRequest(engine.begin(app), Optional.empty()));
  }
}
