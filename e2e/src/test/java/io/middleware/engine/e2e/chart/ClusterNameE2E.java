package io.middleware.engine.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.ExtraWorker;
import io.middleware.engine.e2e.Temporal;
import io.temporal.client.WorkflowOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker of a further cluster that shares the Temporal namespace. */
@EndToEnd
class ClusterNameE2E {
  private static final String UID = "kubeSystemUid";

  private final Temporal temporal;

  @TempDir Path folder;

  ClusterNameE2E(Temporal temporal) {
    this.temporal = temporal;
  }

  @Test
  void shouldKeepTheEmptyNameForThisCluster() {
    assertThat(owner("cluster")).isEqualTo(ownUid());
  }

  @Test
  void shouldNotStartUnderTheNameOfAnotherCluster() throws Exception {
    // Given
    var other =
        WorkflowOptions.newBuilder()
            .setWorkflowId("e2e-other/cluster")
            .setTaskQueue("e2e-other/cluster")
            .setMemo(Map.of(UID, "uid-of-another-cluster"))
            .build();
    temporal.client.newUntypedWorkflowStub("ClusterName", other).start();
    // When
    try (var worker = start("e2e-other")) {
      // Then
      worker.awaitLog("belongs to another cluster");
      assertThat(worker.exitCode()).isEqualTo(2);
      assertThat(worker.output()).contains("the cluster name e2e-other", ownUid());
    } finally {
      temporal.client.newUntypedWorkflowStub("e2e-other/cluster").terminate("end of the test");
    }
  }

  @Test
  void shouldTakeANameThatNobodyHas() throws Exception {
    // When
    try (var worker = start("e2e-mine")) {
      // Then
      worker.awaitPolling();
      assertThat(owner("e2e-mine/cluster")).isEqualTo(ownUid());
    } finally {
      temporal.client.newUntypedWorkflowStub("e2e-mine/cluster").terminate("end of the test");
    }
  }

  private ExtraWorker start(String cluster) throws IOException {
    return new ExtraWorker(folder.resolve("output"), "--cluster", cluster);
  }

  private String owner(String workflow) {
    return temporal
        .client
        .newUntypedWorkflowStub(workflow)
        .describe()
        .getMemo(UID, String.class)
        .toString();
  }

  private static String ownUid() {
    return Engine.run(
            List.of("kubectl", "get", "namespace", "kube-system", "-o", "jsonpath={.metadata.uid}"))
        .strip();
  }
}
