package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.temporal.client.WorkflowOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker of a further cluster that shares the Temporal namespace. */
@EndToEnd
class ClusterNameE2E {
  private static final Duration START = Duration.ofSeconds(60);
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
    var worker = start("e2e-other");
    try {
      // Then
      assertThat(worker.waitFor(START.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(worker.exitValue()).isEqualTo(2);
      assertThat(output())
          .contains("the cluster name e2e-other", "belongs to another cluster", ownUid());
    } finally {
      worker.destroyForcibly();
      temporal.client.newUntypedWorkflowStub("e2e-other/cluster").terminate("end of the test");
    }
  }

  @Test
  void shouldTakeANameThatNobodyHas() throws Exception {
    // When
    var worker = start("e2e-mine");
    try {
      // Then
      await().atMost(START).until(() -> output().contains("polling for tasks"));
      assertThat(owner("e2e-mine/cluster")).isEqualTo(ownUid());
    } finally {
      worker.destroyForcibly();
      temporal.client.newUntypedWorkflowStub("e2e-mine/cluster").terminate("end of the test");
    }
  }

  private Process start(String cluster) throws IOException {
    var instance = Path.of(Engine.variable("INSTANCE_DIR"));
    var process =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                instance.resolve("app/worker") + "/*",
                "io.middleware.engine.worker.WorkerMain",
                "--config",
                instance.resolve("engine.yaml").toString(),
                "--cluster",
                cluster,
                "--worker-http-address",
                "127.0.0.1:0"));
    process.environment().put("KUBECONFIG", instance.resolve("worker.kubeconfig").toString());
    return process
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output"));
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
