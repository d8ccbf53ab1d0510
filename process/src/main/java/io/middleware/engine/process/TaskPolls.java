package io.middleware.engine.process;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * When workers polled Temporal for tasks. A poll that fails is a poll as well: a worker that cannot
 * reach Temporal is not ready, but a restart would not help it. A worker polls as long as it has
 * room for one task of any kind.
 */
public final class TaskPolls implements ClientInterceptor {
  /** A poll without a task lasts 70 s, and the pause after a failed one up to a minute. */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(5);

  private static final Set<String> METHODS =
      Set.of(
          WorkflowServiceGrpc.getPollWorkflowTaskQueueMethod().getFullMethodName(),
          WorkflowServiceGrpc.getPollActivityTaskQueueMethod().getFullMethodName());

  private final LongSupplier nanoTime;
  private volatile OptionalLong last = OptionalLong.empty();

  TaskPolls(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** From now on there have to be polls. */
  public void begin() {
    last = OptionalLong.of(nanoTime.getAsLong());
  }

  /** The health check {@code polls}. */
  public HealthCheck check() {
    return HealthCheck.of("polls", this::problem);
  }

  private Optional<String> problem() {
    var newest = last;
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    var silence = Duration.ofNanos(nanoTime.getAsLong() - newest.getAsLong());
    return silence.compareTo(LONGEST_SILENCE) <= 0
        ? Optional.empty()
        : Optional.of(
            "no poll for tasks has begun or ended for %d s".formatted(silence.toSeconds()));
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    var call = next.newCall(method, options);
    return METHODS.contains(method.getFullMethodName()) ? new RecordedCall<>(call) : call;
  }

  private final class RecordedCall<Q, A> extends SimpleForwardingClientCall<Q, A> {
    RecordedCall(ClientCall<Q, A> call) {
      super(call);
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      begin();
      super.start(
          new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              begin();
              super.onClose(status, trailers);
            }
          },
          headers);
    }
  }
}
