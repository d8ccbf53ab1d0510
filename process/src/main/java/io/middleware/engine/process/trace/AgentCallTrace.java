package io.middleware.engine.process.trace;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;

/**
 * A span for each call that belongs to a trace; the agent gets the trace in the call's headers.
 * Calls outside a trace are left alone.
 */
final class AgentCallTrace implements ClientInterceptor {
  private static final TextMapSetter<Metadata> HEADERS =
      (headers, key, value) ->
          headers.put(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER), value);

  private final Tracer tracer;
  private final TextMapPropagator propagator;

  AgentCallTrace(OpenTelemetry telemetry) {
    this.tracer = telemetry.getTracer("io.middleware.engine.agents");
    this.propagator = telemetry.getPropagators().getTextMapPropagator();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    var call = next.newCall(method, options);
    return Span.current().getSpanContext().isValid() ? new TracedCall<>(call, method) : call;
  }

  private final class TracedCall<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final MethodDescriptor<Q, A> method;

    TracedCall(ClientCall<Q, A> call, MethodDescriptor<Q, A> method) {
      super(call);
      this.method = method;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      var span = begin();
      propagator.inject(Context.current().with(span), headers, HEADERS);
      super.start(
          new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onClose(Status status, Metadata trailers) {
              end(span, status);
              super.onClose(status, trailers);
            }
          },
          headers);
    }

    private Span begin() {
      return tracer
          .spanBuilder(method.getFullMethodName())
          .setSpanKind(SpanKind.CLIENT)
          .setAttribute("rpc.system", "grpc")
          .setAttribute("rpc.service", String.valueOf(method.getServiceName()))
          .setAttribute("rpc.method", String.valueOf(method.getBareMethodName()))
          .startSpan();
    }

    private void end(Span span, Status status) {
      var agent = getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
      if (agent != null) {
        span.setAttribute("network.peer.address", agent.toString());
      }
      span.setAttribute("rpc.grpc.status_code", status.getCode().value());
      if (!status.isOk()) {
        span.setStatus(StatusCode.ERROR, status.getCode().name());
      }
      span.end();
    }
  }
}
