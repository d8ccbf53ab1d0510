package io.middleware.engine.activities.agents;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.proto.agent.v1.Agent2Grpc;
import io.middleware.engine.proto.agent.v1.GetGroupOrderRequest;
import io.middleware.engine.proto.agent.v1.GetGroupOrderResponse;
import io.middleware.engine.proto.agent.v1.GetPodOrderRequest;
import io.middleware.engine.proto.agent.v1.GetPodOrderResponse;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.GetRoleResponse;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A real gRPC server on an address of its own that answers as it is told. */
final class FakeAgent implements AutoCloseable {
  final List<String> calls = new CopyOnWriteArrayList<>();
  UnaryOperator<List<String>> order = names -> names;
  boolean concurrent;
  String role = "replica";
  Status failure = Status.OK;
  boolean hangs;
  private final Server server;
  private final int port;

  /**
   * @param port 0: any that is free
   */
  FakeAgent(String ip, int port) throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(ip, port))
            .addService(new Orders())
            .addService(new Roles())
            .build()
            .start();
    this.port = server.getPort();
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private <T> void reply(String call, StreamObserver<T> to, T answer) {
    calls.add(call);
    if (hangs) {
      return;
    }
    if (failure.isOk()) {
      to.onNext(answer);
      to.onCompleted();
    } else {
      to.onError(failure.asRuntimeException());
    }
  }

  private final class Orders extends Agent2Grpc.Agent2ImplBase {
    @Override
    public void getGroupOrder(
        GetGroupOrderRequest request, StreamObserver<GetGroupOrderResponse> to) {
      var asked = Map.of(request.getComponentName(), request.getGroupsList());
      reply(
          request.getScenario() + " " + asked,
          to,
          GetGroupOrderResponse.newBuilder()
              .addAllOrder(order.apply(request.getGroupsList()))
              .setConcurrent(concurrent)
              .build());
    }

    @Override
    public void getPodOrder(GetPodOrderRequest request, StreamObserver<GetPodOrderResponse> to) {
      var asked = Map.of(request.getGroupName(), request.getPodsList());
      reply(
          request.getScenario() + " " + asked,
          to,
          GetPodOrderResponse.newBuilder()
              .addAllOrder(order.apply(request.getPodsList()))
              .setConcurrent(concurrent)
              .build());
    }
  }

  private final class Roles extends ToolInvokerGrpc.ToolInvokerImplBase {
    @Override
    public void getRole(GetRoleRequest request, StreamObserver<GetRoleResponse> to) {
      reply("role", to, GetRoleResponse.newBuilder().setRole(role).build());
    }
  }
}
