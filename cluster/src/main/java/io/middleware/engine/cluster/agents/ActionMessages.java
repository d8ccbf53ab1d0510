package io.middleware.engine.cluster.agents;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.workflows.port.HeartbeatContract;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** The messages of an action, one after the other. */
final class ActionMessages {
  private ActionMessages() {}

  /** The next message within a heartbeat interval; empty when there is none. */
  static <M> Optional<M> next(BlockingClientCall<?, M> stream) throws StatusException {
    try {
      var message = stream.read(HeartbeatContract.INTERVAL.toNanos(), NANOSECONDS);
      if (message == null) {
        throw failure(Status.UNAVAILABLE, "the stream ended without a result");
      }
      return Optional.of(message);
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.of(FaultKind.UNAVAILABLE, "interrupted while an agent was acting");
    }
  }

  static StatusException failure(Status status, String why) {
    return status.withCause(new CallFailure.InOwnWords(why)).asException();
  }
}
