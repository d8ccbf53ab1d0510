package io.middleware.engine.watcher.roles;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.api.Role;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import io.middleware.engine.proto.tool.v1.WatchRoleRequest;
import io.middleware.engine.proto.tool.v1.WatchRoleResponse;
import io.middleware.engine.watcher.roles.RoleClient.AskedPod;
import io.middleware.engine.watcher.roles.RoleClient.ReportedRole;
import java.util.Optional;

/**
 * Watches roles by gRPC. A stream has a connection of its own, and no thread: what arrives is
 * handled where it is read.
 */
final class GrpcRoleStreams implements RoleStreams {
  private final RoleConnections connections;
  private final int maxMessageBytes;

  GrpcRoleStreams(RoleConnections connections, int maxMessageBytes) {
    this.connections = connections;
    this.maxMessageBytes = maxMessageBytes;
  }

  @Override
  public Optional<Stream> open(AskedPod pod, Listener listener) {
    return connections.listeningTo(pod).map(connection -> open(pod, connection, listener));
  }

  private Stream open(AskedPod pod, ManagedChannel connection, Listener listener) {
    var request = WatchRoleRequest.newBuilder().setPodName(pod.name()).setPodUid(pod.uid()).build();
    ToolInvokerGrpc.newStub(connection)
        .withExecutor(Runnable::run)
        .withMaxInboundMessageSize(maxMessageBytes)
        .watchRole(request, new Messages(connection, listener));
    return connection::shutdownNow;
  }

  private record Messages(ManagedChannel connection, Listener listener)
      implements StreamObserver<WatchRoleResponse> {
    @Override
    public void onNext(WatchRoleResponse message) {
      listener.said(
          message.getUnknown().isEmpty()
              ? Optional.of(
                  new ReportedRole(
                      Role.word(message.getRole()),
                      PlainText.clean(message.getProblem(), ReportedRole.LONGEST_TROUBLE),
                      message.getTerm()))
              : Optional.empty());
    }

    @Override
    public void onError(Throwable cause) {
      end(Status.fromThrowable(cause).getCode() == Status.Code.UNIMPLEMENTED);
    }

    @Override
    public void onCompleted() {
      end(false);
    }

    private void end(boolean unsupported) {
      connection.shutdownNow();
      listener.ended(unsupported);
    }
  }
}
