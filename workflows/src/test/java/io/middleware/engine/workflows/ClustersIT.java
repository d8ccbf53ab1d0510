package io.middleware.engine.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.workflows.port.TaskQueues;
import io.temporal.client.WorkflowOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two clusters in one Temporal namespace have an App of the same name. */
class ClustersIT {
  private final FakeCluster west = new FakeCluster();

  @RegisterExtension
  final ChangeEnvironment env = new ChangeEnvironment(true, Map.of("west", west));

  @Test
  void shouldCarryOutEachAppInItsOwnCluster() {
    // Given
    prepare(env.cluster, "db-east");
    prepare(west, "db-west");
    // When
    var ofWest = start("west", 3);
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(ofWest).isEqualTo("Succeeded");
    assertThat(env.cluster.ends()).containsExactly("7 Succeeded");
    assertThat(west.ends()).containsExactly("3 Succeeded");
    assertThat(env.cluster.operations).anyMatch(it -> it.contains("db-east"));
    assertThat(env.cluster.operations).noneMatch(it -> it.contains("db-west"));
    assertThat(west.operations).anyMatch(it -> it.contains("db-west"));
    assertThat(west.operations).noneMatch(it -> it.contains("db-east"));
  }

  private static void prepare(FakeCluster cluster, String component) {
    cluster.groups.put(component, List.of("all-" + component));
    cluster.pods.put("all-" + component, List.of("pod-of-" + component));
    cluster.planner = change -> Plans.inTurn(change.generation(), ChangeType.CONFIG, component);
  }

  private String start(String cluster, long generation) {
    var options =
        WorkflowOptions.newBuilder()
            .setWorkflowId(cluster + "/app/shop/cache")
            .setTaskQueue(TaskQueues.engine(cluster))
            .build();
    var run = env.client().newUntypedWorkflowStub("AppChangeWorkflow", options);
    run.signalWithStart(
        "changed", new Object[] {ChangeEnvironment.request(generation)}, new Object[] {null});
    return run.getResult(String.class);
  }
}
