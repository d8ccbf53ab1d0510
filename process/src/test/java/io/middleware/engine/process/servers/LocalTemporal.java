package io.middleware.engine.process.servers;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.process.PayloadConverter;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueRequest;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskFailedRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Temporal's dev server on 127.0.0.1, in memory, with the engine's search attributes. All classes
 * share it and its namespace: the runs of a class belong to a cluster of a name of its own.
 */
public final class LocalTemporal implements AutoCloseable {
  private static final Path CONFIG = Path.of("..", "temporal-config");
  private static final String NAMESPACE = "middleware";

  private final Path folder;
  private final ServerProcess server;
  private final WorkflowServiceStubs stubs;
  private final WorkflowClient client;

  LocalTemporal() throws IOException, InterruptedException {
    folder = Files.createTempDirectory("temporal");
    var port = ServerProcess.freePort();
    server = ServerProcess.start(folder, command(port));
    stubs = connect(port);
    client =
        WorkflowClient.newInstance(
            stubs,
            WorkflowClientOptions.newBuilder()
                .setNamespace(NAMESPACE)
                .setDataConverter(PayloadConverter.create())
                .build());
    server.await(this::isReady);
  }

  /** A connection to a port of 127.0.0.1 that is opened by the first call. */
  public static WorkflowServiceStubs connect(int port) {
    return WorkflowServiceStubs.newServiceStubs(
        WorkflowServiceStubsOptions.newBuilder()
            .setTarget("127.0.0.1:" + port)
            .setEnableHttps(false)
            .build());
  }

  public WorkflowClient client() {
    return client;
  }

  /** Takes the next workflow task of the queue, as a worker does, and fails it. */
  public void failWorkflowTask(String taskQueue) {
    var task =
        stubs
            .blockingStub()
            .pollWorkflowTaskQueue(
                PollWorkflowTaskQueueRequest.newBuilder()
                    .setNamespace(NAMESPACE)
                    .setTaskQueue(TaskQueue.newBuilder().setName(taskQueue))
                    .build());
    stubs
        .blockingStub()
        .respondWorkflowTaskFailed(
            RespondWorkflowTaskFailedRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setTaskToken(task.getTaskToken())
                .build());
  }

  private static List<String> command(int port) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                ServerBinary.TEMPORAL.path(),
                "server",
                "start-dev",
                "--ip=127.0.0.1",
                "--port=" + port,
                "--headless",
                "--log-level=warn",
                "--namespace=" + NAMESPACE));
    searchAttributes().forEach(it -> command.add("--search-attribute=" + it));
    dynamicConfig().forEach(it -> command.add("--dynamic-config-value=" + it));
    return command;
  }

  /** As {@code temporal-config/bootstrap} creates them. */
  static Stream<String> searchAttributes() throws IOException {
    return Files.readAllLines(CONFIG.resolve("search-attributes")).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.split("\\s+"))
        .map(words -> words[0] + "=" + words[1]);
  }

  /** As {@code dev/up} gives it. */
  static List<String> dynamicConfig() throws IOException {
    var values = new ArrayList<String>();
    var key = "";
    for (var line : Files.readAllLines(CONFIG.resolve("dynamic-config").resolve("local.yaml"))) {
      if (line.startsWith("- value: ")) {
        values.add(key + "=" + line.substring("- value: ".length()));
      } else if (line.endsWith(":") && !line.startsWith("#")) {
        key = line.substring(0, line.length() - 1);
      }
    }
    return values;
  }

  private boolean isReady() {
    try {
      stubs
          .blockingStub()
          .withDeadlineAfter(1, TimeUnit.SECONDS)
          .describeNamespace(DescribeNamespaceRequest.newBuilder().setNamespace(NAMESPACE).build());
      return true;
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    stubs.shutdownNow();
    server.close();
    ServerProcess.delete(folder);
  }
}
