package io.middleware.engine.agent.server;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/** Sends one answer, or the refusal that came instead. */
final class UnaryReply {
  private UnaryReply() {}

  static <T> void send(StreamObserver<T> to, Supplier<T> answer) {
    T message;
    try {
      message = answer.get();
    } catch (StatusRuntimeException refusal) {
      to.onError(refusal);
      return;
    }
    to.onNext(message);
    to.onCompleted();
  }
}
