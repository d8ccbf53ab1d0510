package io.middleware.engine.process.trace;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.process.LimitedHttpServers;
import io.middleware.engine.process.agents.AgentConnection;
import io.middleware.engine.process.settings.SettingsException;
import io.opentelemetry.api.trace.Span;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.api.workflowservice.v1.GetSystemInfoResponse;
import io.temporal.api.workflowservice.v1.ListNamespacesRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TracingTest {
  private static final Metadata.Key<String> TRACE =
      Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);

  static {
    LimitedHttpServers.begin();
  }

  private final List<String> received = new CopyOnWriteArrayList<>();
  private TraceCollector collector;
  private Tracing tracing;
  private Server agent;
  private ManagedChannel channel;

  @BeforeEach
  void open() throws IOException {
    collector = new TraceCollector();
    tracing = Tracing.open("worker", collector.environment());
    agent =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(new AnyService())
            .intercept(new HeaderRecorder())
            .build()
            .start();
    channel =
        AgentConnection.to(
            (InetSocketAddress) agent.getListenSockets().getFirst(),
            tracing.agentInterceptors().toArray(ClientInterceptor[]::new));
  }

  @AfterEach
  void close() {
    channel.shutdownNow();
    agent.shutdownNow();
    tracing.close();
    collector.close();
  }

  @Test
  void shouldSendTheCallsOfAnActivityAndTellTheAgentTheirTrace() {
    // Given
    var step = step();
    // When
    try (var scope = step.makeCurrent()) {
      info();
      assertThatThrownBy(this::unknown).isInstanceOf(StatusRuntimeException.class);
    }
    step.end();
    // Then
    await().until(() -> collector.spans().size() == 3);
    assertThat(collector.spans())
        .allSatisfy(
            span -> {
              assertThat(span.service()).isEqualTo("middleware-worker");
              assertThat(span.trace()).isEqualTo(step.getSpanContext().getTraceId());
            });
    assertThat(collector.spans("temporal"))
        .allSatisfy(span -> assertThat(span.parent()).isEqualTo(step.getSpanContext().getSpanId()));
    assertThat(collector.spans("temporal.api.workflowservice.v1.WorkflowService/GetSystemInfo"))
        .singleElement()
        .satisfies(
            span -> {
              assertThat(span.failed()).isFalse();
              assertThat(received)
                  .anyMatch(header -> header.contains(span.trace() + "-" + span.id()));
            });
    assertThat(collector.spans("temporal.api.workflowservice.v1.WorkflowService/ListNamespaces"))
        .singleElement()
        .satisfies(span -> assertThat(span.failed()).isTrue());
  }

  @Test
  void shouldLeaveOtherCallsAlone() {
    // When
    info();
    // Then
    tracing.close();
    assertThat(collector.spans()).isEmpty();
    assertThat(received).isEmpty();
  }

  @Test
  void shouldBeOffWithoutAnEndpoint() {
    assertOff(Map.of());
    assertOff(Map.of("OTEL_SERVICE_NAME", "engine", "OTEL_EXPORTER_OTLP_ENDPOINT", " "));
    assertOff(
        Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1", "OTEL_SDK_DISABLED", "true"));
    assertOff(
        Map.of(
            "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER", "none"));
  }

  private static void assertOff(Map<String, String> environment) {
    var off = Tracing.open("worker", environment);
    assertThat(off.clientInterceptors()).isEmpty();
    assertThat(off.workerInterceptors()).isEmpty();
    assertThat(off.agentInterceptors()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"})
  void shouldRefuseAnotherProtocol(String name) {
    assertThatThrownBy(
            () ->
                Tracing.open(
                    "worker",
                    Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1", name, "grpc")))
        .isInstanceOf(SettingsException.class)
        .hasMessageContainingAll(name, "http/protobuf", "4318");
  }

  @Test
  void shouldRefuseAnEndpointThatIsNoUrl() {
    assertThatThrownBy(
            () -> Tracing.open("worker", Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318")))
        .isInstanceOf(SettingsException.class)
        .hasMessageContainingAll("OTEL_*", "collector:4318");
  }

  @Test
  void shouldStopSoonWithoutACollector() throws IOException {
    // Given
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    var alone = Tracing.open("worker", TraceCollector.environment(free));
    alone.sdk().orElseThrow().getTracer("test").spanBuilder("step").startSpan().end();
    // When
    var begin = System.nanoTime();
    alone.close();
    // Then
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
  }

  private Span step() {
    return tracing.sdk().orElseThrow().getTracer("test").spanBuilder("step").startSpan();
  }

  private void info() {
    WorkflowServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(10, SECONDS)
        .getSystemInfo(GetSystemInfoRequest.getDefaultInstance());
  }

  private void unknown() {
    WorkflowServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(10, SECONDS)
        .listNamespaces(ListNamespacesRequest.getDefaultInstance());
  }

  private static final class AnyService extends WorkflowServiceGrpc.WorkflowServiceImplBase {
    @Override
    public void getSystemInfo(
        GetSystemInfoRequest request, StreamObserver<GetSystemInfoResponse> answer) {
      answer.onNext(GetSystemInfoResponse.getDefaultInstance());
      answer.onCompleted();
    }
  }

  private final class HeaderRecorder implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      if (headers.containsKey(TRACE)) {
        received.add(headers.get(TRACE));
      }
      return next.startCall(call, headers);
    }
  }
}
