package io.middleware.engine.agent.server;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.middleware.engine.agent.order.WorkOrder;
import io.middleware.engine.proto.agent.v1.Agent2Grpc;
import io.middleware.engine.proto.agent.v1.GetGroupOrderRequest;
import io.middleware.engine.proto.agent.v1.GetPodOrderRequest;
import io.middleware.engine.proto.agent.v1.Scenario;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.proto.tool.v1.DrainRequest;
import io.middleware.engine.proto.tool.v1.DrainResponse;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.MeasureRequest;
import io.middleware.engine.proto.tool.v1.PersistRequest;
import io.middleware.engine.proto.tool.v1.PersistResponse;
import io.middleware.engine.proto.tool.v1.ReloadRequest;
import io.middleware.engine.proto.tool.v1.ReloadResponse;
import io.middleware.engine.proto.tool.v1.Reloaded;
import io.middleware.engine.proto.tool.v1.ResumeRequest;
import io.middleware.engine.proto.tool.v1.RunActionRequest;
import io.middleware.engine.proto.tool.v1.RunActionResponse;
import io.middleware.engine.proto.tool.v1.StopActionRequest;
import io.middleware.engine.proto.tool.v1.StopActionResponse;
import io.middleware.engine.proto.tool.v1.SwitchoverRequest;
import io.middleware.engine.proto.tool.v1.SwitchoverResponse;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import io.middleware.engine.proto.tool.v1.WatchRoleRequest;
import io.middleware.engine.proto.tool.v1.WatchRoleResponse;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Calls an agent over a real connection, like the engine. */
public record AgentTestClient(ManagedChannel channel) implements AutoCloseable {
  private static final int LONGEST_SECONDS = 240;

  public static AgentTestClient at(String ip, int port) {
    var address = new InetSocketAddress(ip, port);
    return new AgentTestClient(NettyChannelBuilder.forAddress(address).usePlaintext().build());
  }

  public WorkOrder groups(Scenario scenario, String... groups) {
    var request =
        GetGroupOrderRequest.newBuilder()
            .setComponentName("nodes")
            .setScenario(scenario)
            .addAllGroups(List.of(groups))
            .build();
    var answer = agent().getGroupOrder(request);
    return new WorkOrder(answer.getOrderList(), answer.getConcurrent());
  }

  public WorkOrder pods(Scenario scenario, String... pods) {
    return pods(
        GetPodOrderRequest.newBuilder()
            .setGroupName("cache-nodes-all")
            .setScenario(scenario)
            .addAllPods(List.of(pods))
            .build());
  }

  WorkOrder pods(GetPodOrderRequest request) {
    var answer = agent().getPodOrder(request);
    return new WorkOrder(answer.getOrderList(), answer.getConcurrent());
  }

  public String role() {
    return actions().getRole(GetRoleRequest.getDefaultInstance()).getRole();
  }

  /** Returns the primary after the switchover. */
  public String switchover(String operation) {
    return switchover(operation, "");
  }

  /** The same to this pod. */
  public String switchover(String operation, String successor) {
    var last = SwitchoverResponse.getDefaultInstance();
    var request =
        SwitchoverRequest.newBuilder().setOperationId(operation).setSuccessor(successor).build();
    for (var steps = actions().switchover(request); steps.hasNext(); ) {
      last = steps.next();
    }
    return last.getDone().getPrimary();
  }

  /** Returns the checksum of the parameters in force. */
  public String reload(String operation, Map<String, String> parameters) {
    return reloaded(operation, parameters).getChecksum();
  }

  Reloaded reloaded(String operation, Map<String, String> parameters) {
    return reloaded(
        ReloadRequest.newBuilder().setOperationId(operation).putAllParameters(parameters).build());
  }

  Reloaded reloaded(ReloadRequest request) {
    var last = ReloadResponse.getDefaultInstance();
    for (var steps = actions().reload(request); steps.hasNext(); ) {
      last = steps.next();
    }
    return last.getDone();
  }

  /** Returns whether the drain completed. */
  public boolean drain(String operation) {
    var last = DrainResponse.getDefaultInstance();
    var request = DrainRequest.newBuilder().setOperationId(operation).build();
    for (var steps = actions().drain(request); steps.hasNext(); ) {
      last = steps.next();
    }
    return last.hasDone();
  }

  /** Returns whether the data are durable. */
  boolean persist(String operation, boolean beforeEnd) {
    var last = PersistResponse.getDefaultInstance();
    var request =
        PersistRequest.newBuilder().setOperationId(operation).setBeforeEnd(beforeEnd).build();
    for (var steps = actions().persist(request); steps.hasNext(); ) {
      last = steps.next();
    }
    return last.hasDone();
  }

  void resume() {
    actions().resume(ResumeRequest.getDefaultInstance());
  }

  /** Returns how the action ended. */
  public ActionOutput runAction(String operation, String action) {
    return runAction(
        RunActionRequest.newBuilder().setOperationId(operation).setAction(action).build());
  }

  /** Returns when the action has ended. */
  boolean stopAction(String operation) {
    var last = StopActionResponse.getDefaultInstance();
    var request = StopActionRequest.newBuilder().setOperationId(operation).build();
    for (var steps = actions().stopAction(request); steps.hasNext(); ) {
      last = steps.next();
    }
    return last.hasDone();
  }

  /** Returns how the action ended. */
  public ActionOutput runAction(RunActionRequest request) {
    var last = RunActionResponse.getDefaultInstance();
    for (var steps = actions().runAction(request); steps.hasNext(); ) {
      last = steps.next();
    }
    return last.getDone();
  }

  String measureOf(String pod, String uid, String question) {
    var request =
        MeasureRequest.newBuilder().setPodName(pod).setPodUid(uid).setQuestion(question).build();
    return actions().measure(request).getAnswer();
  }

  String roleOf(String pod, String uid) {
    var request = GetRoleRequest.newBuilder().setPodName(pod).setPodUid(uid).build();
    return actions().getRole(request).getRole();
  }

  /** What follows until the call ends. */
  Iterator<WatchRoleResponse> watchRole(String pod, String uid) {
    return actions()
        .watchRole(WatchRoleRequest.newBuilder().setPodName(pod).setPodUid(uid).build());
  }

  void switchoverOf(String pod, String uid) {
    var request = SwitchoverRequest.newBuilder().setPodName(pod).setPodUid(uid);
    actions().switchover(request.setOperationId("o").build()).next();
  }

  void reloadOf(String pod, String uid) {
    var request = ReloadRequest.newBuilder().setPodName(pod).setPodUid(uid);
    actions().reload(request.setOperationId("o").build()).next();
  }

  void drainOf(String pod, String uid) {
    var request = DrainRequest.newBuilder().setPodName(pod).setPodUid(uid);
    actions().drain(request.setOperationId("o").build()).next();
  }

  void runActionOf(String pod, String uid) {
    var request = RunActionRequest.newBuilder().setPodName(pod).setPodUid(uid);
    runAction(request.setOperationId("o").build());
  }

  private ToolInvokerGrpc.ToolInvokerBlockingStub actions() {
    return ToolInvokerGrpc.newBlockingStub(channel).withDeadlineAfter(LONGEST_SECONDS, SECONDS);
  }

  ServingStatus health() {
    return HealthGrpc.newBlockingStub(channel)
        .withDeadlineAfter(LONGEST_SECONDS, SECONDS)
        .check(HealthCheckRequest.getDefaultInstance())
        .getStatus();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private Agent2Grpc.Agent2BlockingStub agent() {
    return Agent2Grpc.newBlockingStub(channel).withDeadlineAfter(LONGEST_SECONDS, SECONDS);
  }
}
