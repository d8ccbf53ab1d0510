package io.middleware.engine.agent.server;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/** Sends one answer, or its refusal. */
final class UnaryReply {
  private UnaryReply() {}

  static <T> void send(StreamObserver<T> observer, Supplier<T> answer) {
    T message;
    try {
      message = answer.get();
    } catch (StatusRuntimeException refusal) {
      observer.onError(refusal);
      return;
    }
    observer.onNext(message);
    observer.onCompleted();
  }
}
