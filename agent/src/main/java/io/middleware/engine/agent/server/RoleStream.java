package io.middleware.engine.agent.server;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.middleware.engine.proto.tool.v1.WatchRoleResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Sends the role of the pod to each call that watches it: at once, at each change, and now and then
 * without one. Between two looks at everything, only a sign of the role is read, as that is cheap.
 */
final class RoleStream {
  /** The protocol promises 250 ms. */
  private static final Duration SIGN = Duration.ofMillis(150);

  /** For what the sign does not say: what the pod lacks, and the term. */
  private static final Duration LOOK = Duration.ofSeconds(2);

  /** The protocol promises 20 s. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  private final AgentAnswers answers;
  private volatile boolean ended;

  RoleStream(AgentAnswers answers) {
    this.answers = answers;
  }

  /** All calls end soon, so that a stop of the agent need not wait for them. */
  void end() {
    ended = true;
  }

  /** Returns when the call has ended. */
  void serve(ServerCallStreamObserver<WatchRoleResponse> observer) {
    observer.setOnCancelHandler(() -> {}); // otherwise a message to a cancelled call throws
    try {
      sendUntilEnd(observer, Context.current());
      observer.onCompleted();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      observer.onError(
          Status.UNAVAILABLE.withDescription("the agent is being stopped").asRuntimeException());
    }
  }

  private void sendUntilEnd(ServerCallStreamObserver<WatchRoleResponse> observer, Context call)
      throws InterruptedException {
    Optional<WatchRoleResponse> sent = Optional.empty();
    var sentAt = 0L;
    var lookedAt = 0L;
    Optional<String> sign = Optional.empty();
    while (!ended && !call.isCancelled()) {
      var now = System.nanoTime();
      var signNow = sign();
      if (sent.isEmpty() || !sign.equals(signNow) || now - lookedAt >= LOOK.toNanos()) {
        sign = signNow;
        lookedAt = now;
        var seen = look();
        var due = now - sentAt >= HEARTBEAT.toNanos();
        if (observer.isReady() && (due || !Objects.equals(sent.orElse(null), seen))) {
          observer.onNext(seen);
          sent = Optional.of(seen);
          sentAt = now;
        }
      }
      Thread.sleep(SIGN);
    }
  }

  private Optional<String> sign() {
    try {
      return Optional.of(answers.roleSign());
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    }
  }

  private WatchRoleResponse look() {
    try {
      var claim = answers.claim();
      return WatchRoleResponse.newBuilder()
          .setRole(claim.role())
          .setTerm(claim.term())
          .setProblem(answers.trouble())
          .build();
    } catch (StatusRuntimeException e) {
      var why = e.getStatus().getDescription();
      return WatchRoleResponse.newBuilder()
          .setUnknown(why == null || why.isEmpty() ? e.getStatus().getCode().name() : why)
          .build();
    }
  }
}
