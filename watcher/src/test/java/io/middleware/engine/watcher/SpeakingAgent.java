package io.middleware.engine.watcher;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.GetRoleResponse;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc.ToolInvokerImplBase;
import io.middleware.engine.proto.tool.v1.WatchRoleRequest;
import io.middleware.engine.proto.tool.v1.WatchRoleResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** An agent that says by itself what the test wants. */
final class SpeakingAgent extends ToolInvokerImplBase implements AutoCloseable {
  static final int PORT = 29_090;

  private final Server server;
  private final List<StreamObserver<WatchRoleResponse>> listeners = new ArrayList<>();
  private WatchRoleResponse now;

  SpeakingAgent(String ip, String role, long term) throws IOException {
    now = WatchRoleResponse.newBuilder().setRole(role).setTerm(term).build();
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(ip, PORT))
            .addService(this)
            .build()
            .start();
  }

  synchronized void say(String role, long term) {
    now = WatchRoleResponse.newBuilder().setRole(role).setTerm(term).build();
    listeners.forEach(listener -> listener.onNext(now));
  }

  @Override
  public synchronized void getRole(
      GetRoleRequest request, StreamObserver<GetRoleResponse> observer) {
    observer.onNext(GetRoleResponse.newBuilder().setRole(now.getRole()).build());
    observer.onCompleted();
  }

  @Override
  public synchronized void watchRole(
      WatchRoleRequest request, StreamObserver<WatchRoleResponse> observer) {
    listeners.add(observer);
    observer.onNext(now);
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
