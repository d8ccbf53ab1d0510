package io.middleware.engine.activities.rollout;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.proto.agent.v1.Agent2Grpc;
import io.middleware.engine.proto.agent.v1.GetPodOrderRequest;
import io.middleware.engine.proto.agent.v1.GetPodOrderResponse;
import io.middleware.engine.proto.tool.v1.Progress;
import io.middleware.engine.proto.tool.v1.ReloadRequest;
import io.middleware.engine.proto.tool.v1.ReloadResponse;
import io.middleware.engine.proto.tool.v1.Reloaded;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real gRPC server on its own address that reloads as configured. */
final class ReloadingAgent implements AutoCloseable {
  /** All requests; shared by the agents of a group to show their order. */
  private final List<String> asked;

  final List<String> operations = new CopyOnWriteArrayList<>();
  List<String> order = List.of();
  Status refusal = Status.OK;

  /** Whether a reload never ends. */
  boolean hangs;

  /** The value that each parameter has in force instead of the requested one. */
  String spoiled = "";

  /** What it says is not in force. */
  List<String> notInForce = List.of();

  /** The digest of maxmemory for which the file of its pod has the value; empty: for each one. */
  String mounted = "";

  /** How often it has said that its file has another value. */
  int waited;

  private final String name;
  private final Server server;

  /**
   * @param port 0 for any free one
   */
  ReloadingAgent(String name, String ip, int port, List<String> asked) throws IOException {
    this.name = name;
    this.asked = asked;
    this.server =
        NettyServerBuilder.forAddress(new InetSocketAddress(ip, port))
            .addService(new Orders())
            .addService(new Reloads())
            .build()
            .start();
  }

  int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private final class Orders extends Agent2Grpc.Agent2ImplBase {
    @Override
    public void getPodOrder(GetPodOrderRequest request, StreamObserver<GetPodOrderResponse> to) {
      asked.add(request.getScenario() + " " + request.getGroupName());
      to.onNext(
          GetPodOrderResponse.newBuilder()
              .addAllOrder(order.stream().filter(request.getPodsList()::contains).toList())
              .build());
      to.onCompleted();
    }
  }

  private final class Reloads extends ToolInvokerGrpc.ToolInvokerImplBase {
    @Override
    public void reload(ReloadRequest request, StreamObserver<ReloadResponse> to) {
      var parameters = new TreeMap<>(request.getParametersMap());
      asked.add(name + " " + parameters);
      operations.add(request.getOperationId());
      if (!refusal.isOk()) {
        to.onError(refusal.asRuntimeException());
        return;
      }
      to.onNext(ReloadResponse.newBuilder().setProgress(progress()).build());
      if (hangs) {
        return;
      }
      if (!spoiled.isEmpty()) {
        parameters.replaceAll((parameter, value) -> spoiled);
      }
      var late = List.<String>of();
      if (!mounted.isEmpty() && !mounted.equals(request.getDigestsOrThrow("maxmemory"))) {
        waited++;
        late = List.of("maxmemory");
        parameters.put("maxmemory", "");
      }
      var lines = new StringBuilder();
      parameters.forEach((key, value) -> lines.append(key + "=" + value + "\n"));
      var checksum = Hashing.sha256().hashString(lines, UTF_8).toString();
      to.onNext(
          ReloadResponse.newBuilder()
              .setDone(
                  Reloaded.newBuilder()
                      .setChecksum(checksum)
                      .addAllNotInForce(notInForce)
                      .addAllNotInForce(late))
              .build());
      to.onCompleted();
    }

    private Progress progress() {
      return Progress.newBuilder().setMessage("half of it").setPercent(50).build();
    }
  }
}
