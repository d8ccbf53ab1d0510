package io.middleware.engine.activities.rollout;

import static io.middleware.engine.cluster.SampleObjects.ready;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.SampleObjects.unready;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TaskBlockerTest {
  private static final String SWITCHOVER = "pod db-0: switch over: replicas catch up (40 %)";

  private final FakeView view = new FakeView();

  @BeforeEach
  void outdated() {
    view.sets.add(set(2, 4));
    view.pods.add(ready("db-0", "old"));
    view.pods.add(ready("db-1", "new"));
  }

  @Test
  void shouldNameABrokenPodFirst() {
    // Given
    view.app = showing(SWITCHOVER);
    // When
    view.pods.set(1, unready("db-1", "new"));
    // Then
    assertThat(message()).startsWith("pod db-1: ");
  }

  @Test
  void shouldNameALongActionInAPodOfTheComponent() {
    view.app = showing(SWITCHOVER);
    assertThat(message()).isEqualTo(SWITCHOVER);
    view.app = showing("pod proxy-0: drain: connections end");
    assertThat(message()).startsWith("pod db-0: is out of date: has revision old");
  }

  @Test
  void shouldNameAnAgentOfTheComponentThatDoesNotAnswer() {
    var order = "the agents' order of the pods of g: the agent of pod %s (10.0.0.1:9090) failed";
    view.app = showing("waiting for " + order.formatted("db-0"));
    assertThat(message()).isEqualTo(order.formatted("db-0"));
    view.app = showing("waiting for " + order.formatted("proxy-0"));
    assertThat(message()).startsWith("pod db-0: is out of date: has revision old");
  }

  @Test
  void shouldNameTheCheckThatDoesNotHoldYet() {
    var check = "group g of component %s: check in-sync: db-1: lag = 5, expected int(answer) < 1";
    view.app = showing(check.formatted("db"));
    assertThat(message()).isEqualTo(check.formatted("db"));
    view.app = showing("component db: check whole: replicas = 3");
    assertThat(message()).isEqualTo("component db: check whole: replicas = 3");
    view.app = showing(check.formatted("proxy"));
    assertThat(message()).startsWith("pod db-0: is out of date: has revision old");
  }

  @Test
  void shouldNamePodsThatAreOutOfDate() {
    assertThat(message()).startsWith("pod db-0: is out of date: has revision old");
    view.pods.set(0, ready("db-0", "new"));
    assertThat(message()).isEmpty();
  }

  @Test
  void shouldNameADeploymentThatCannotCreateItsPods() {
    // Given
    view.sets.clear();
    // When
    view.deployments.add(
        new DeploymentBuilder()
            .withNewMetadata()
            .withName("db")
            .withGeneration(1L)
            .addToLabels(Labels.COMPONENT, "db")
            .endMetadata()
            .withNewSpec()
            .withReplicas(2)
            .endSpec()
            .withNewStatus()
            .withObservedGeneration(1L)
            .endStatus()
            .build());
    // Then
    assertThat(message()).startsWith("Deployment db: 0 of 2 pods updated");
  }

  private String message() {
    var change = new ChangeRef("shop", "cache", "uid", 7, "run");
    var task = new TaskRef(change, "7-x-db", ChangeType.VERSION_UPGRADE, "db");
    return new TaskBlocker(view, (set, pod) -> Optional.empty(), task).message().orElse("");
  }

  private static App showing(String progress) {
    var app = new App();
    var change =
        ChangeStatusBuilder.builder().generation(7L).runId("run").progress(progress).build();
    app.setStatus(
        AppStatusBuilder.builder()
            .observedGeneration(6L)
            .acceptedGeneration(7L)
            .change(change)
            .build());
    return app;
  }
}
