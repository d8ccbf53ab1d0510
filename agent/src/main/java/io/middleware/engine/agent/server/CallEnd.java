package io.middleware.engine.agent.server;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.EnumSet;
import java.util.Set;

/** How a call has ended, which the cancellation of its context does not say. */
final class CallEnd extends ServerStreamTracer {
  /** For servers whose calls ask. */
  static final Factory FACTORY =
      new Factory() {
        @Override
        public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
          return new CallEnd();
        }
      };

  private static final Set<Status.Code> AS_THE_CLIENT_WISHED =
      EnumSet.of(Status.Code.OK, Status.Code.CANCELLED, Status.Code.DEADLINE_EXCEEDED);

  private static final Context.Key<CallEnd> KEY = Context.key("call-end");

  private volatile Status status = Status.OK;

  private CallEnd() {}

  /**
   * Whether the connection of the current call was lost. A client that cancels says so. A
   * connection that breaks is UNAVAILABLE for gRPC's server; UNKNOWN or INTERNAL while it writes. A
   * call that the server has answered with an error counts as lost, too.
   */
  static boolean isConnectionLost() {
    var end = KEY.get();
    return end != null && !AS_THE_CLIENT_WISHED.contains(end.status.getCode());
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(KEY, this);
  }

  @Override
  public void streamClosed(Status end) {
    status = end;
  }
}
