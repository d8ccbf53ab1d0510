package io.middleware.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testserver.TestServer;
import io.temporal.testserver.TestServer.PortBoundTestServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterNameTest {
  private PortBoundTestServer temporal;
  private WorkflowServiceStubs stubs;
  private WorkflowClient client;

  @BeforeEach
  void open() throws IOException {
    var port = freePort();
    temporal = TestServer.createPortBoundServer(port);
    stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget("127.0.0.1:" + port).build());
    client = WorkflowClient.newInstance(stubs);
  }

  @AfterEach
  void close() {
    stubs.shutdownNow();
    temporal.close();
  }

  @Test
  void shouldKeepTheNameForTheClusterThatTookIt() throws Exception {
    assertThat(take("west", "uid-1")).isEmpty();
    assertThat(take("west", "uid-1")).isEmpty(); // its other process, or a restart
    assertThat(take("west", "uid-2"))
        .hasValueSatisfying(
            refusal ->
                assertThat(refusal)
                    .contains(
                        "the cluster name west in Temporal's namespace default belongs to another",
                        "uid uid-1, this cluster's has uid-2. Set `cluster` to a name",
                        "temporal workflow terminate -w west/cluster"));
  }

  @Test
  void shouldTakeNamesApart() throws Exception {
    assertThat(take("", "uid-1")).isEmpty();
    assertThat(take("west", "uid-2")).isEmpty();
    assertThat(take("", "uid-2"))
        .hasValueSatisfying(
            refusal -> assertThat(refusal).contains("the empty cluster name", "-w cluster"));
  }

  @Test
  void shouldGiveTheNameToOneOfThoseThatStartAtTheSameMoment() throws Exception {
    var taken = new ArrayList<Future<Optional<String>>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var i = 0; i < 20; i++) {
        var uid = "uid-" + i;
        Callable<Optional<String>> take = () -> take("west", uid);
        taken.add(threads.submit(take));
      }
    }
    assertThat(taken.stream().filter(it -> it.resultNow().isEmpty())).hasSize(1);
  }

  @Test
  void shouldTakeANameThatWasFreed() throws Exception {
    // Given
    take("west", "uid-1");
    // When
    client.newUntypedWorkflowStub("west/cluster").terminate("the cluster is gone");
    // Then
    assertThat(take("west", "uid-2")).isEmpty();
    assertThat(take("west", "uid-1")).isPresent();
  }

  @Test
  void shouldTakeTheNameAgainThatWasLostWithTheDatabase() throws Exception {
    // Given
    var name = new ClusterName(client, "west", () -> "uid-1");
    name.take();
    client.newUntypedWorkflowStub("west/cluster").terminate("the database is lost");
    // When
    name.keep(Duration.ofMillis(20), refusal -> {});
    // Then
    await().until(() -> take("west", "uid-2").isPresent());
  }

  @Test
  void shouldSayThatAnotherClusterHasTakenTheNameMeanwhile() throws Exception {
    // Given
    var name = new ClusterName(client, "west", () -> "uid-1");
    name.take();
    client.newUntypedWorkflowStub("west/cluster").terminate("the database is lost");
    take("west", "uid-2");
    var refused = new CompletableFuture<String>();
    // When
    name.keep(Duration.ofMillis(20), refused::complete);
    // Then
    assertThat(refused.get(4, TimeUnit.MINUTES)).contains("belongs to another cluster");
    assertThat(name.isOwn()).isFalse();
  }

  @Test
  void shouldKeepTheNameWhileTheApiServerDoesNotAnswer() throws Exception {
    // Given
    var asked = new CountDownLatch(4);
    var name =
        new ClusterName(
            client,
            "west",
            () -> {
              asked.countDown();
              if (asked.getCount() == 1) {
                throw new KubernetesClientException("connection refused");
              }
              return "uid-1";
            });
    name.take();
    // When
    name.keep(Duration.ofMillis(20), refusal -> {});
    // Then
    assertThat(asked.await(4, TimeUnit.MINUTES)).isTrue();
    assertThat(name.isOwn()).isTrue();
  }

  @Test
  void shouldWaitForAnApiServerThatDoesNotAnswer() throws Exception {
    // Given
    var asked = new AtomicInteger();
    var name =
        new ClusterName(
            client,
            "west",
            () -> {
              if (asked.incrementAndGet() == 1) {
                throw new KubernetesClientException("connection refused");
              }
              return "uid-1";
            });
    assertThat(name.check().look().get().problem()).isPresent();
    // When
    assertThat(name.take()).isEmpty();
    // Then
    assertThat(name.isOwn()).isTrue();
    assertThat(name.check().look().get().problem()).isEmpty();
  }

  private Optional<String> take(String name, String uid) throws InterruptedException {
    return new ClusterName(client, name, () -> uid).take();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
