package io.middleware.engine.process.trace;

import static java.util.stream.Collectors.toMap;

import io.grpc.ClientInterceptor;
import io.middleware.engine.process.settings.SettingsException;
import io.opentelemetry.opentracingshim.OpenTracingShim;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.interceptors.WorkflowClientInterceptor;
import io.temporal.opentracing.OpenTracingClientInterceptor;
import io.temporal.opentracing.OpenTracingOptions;
import io.temporal.opentracing.OpenTracingWorkerInterceptor;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The traces of a process, which are sent by OTLP in the background. Off, and without any cost,
 * unless OpenTelemetry's variables name an endpoint. Spans that nobody takes are dropped: tracing
 * never holds up a change.
 */
public final class Tracing implements AutoCloseable {
  /** Without spans. */
  public static final Tracing OFF = new Tracing(Optional.empty());

  private static final String PROTOCOL = "http/protobuf";
  private static final long LONGEST_FLUSH_SECONDS = 2;

  private final Optional<OpenTelemetrySdk> sdk;

  private Tracing(Optional<OpenTelemetrySdk> sdk) {
    this.sdk = sdk;
  }

  /**
   * @param process part of the name of the service, unless {@code OTEL_SERVICE_NAME} is set
   * @param environment the OTEL_* variables are taken from it
   * @throws SettingsException when these are not valid
   */
  public static Tracing open(String process, Map<String, String> environment) {
    if (!isOn(environment)) {
      return OFF;
    }
    requireProtocol("OTEL_EXPORTER_OTLP_PROTOCOL", environment);
    requireProtocol("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", environment);
    try {
      return new Tracing(Optional.of(sdk(properties(process, environment))));
    } catch (RuntimeException e) {
      throw new SettingsException(
          "cannot trace as the OTEL_* variables want it: " + e.getMessage());
    }
  }

  private static boolean isOn(Map<String, String> environment) {
    return Stream.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
            .anyMatch(name -> !environment.getOrDefault(name, "").isBlank())
        && !environment.getOrDefault("OTEL_SDK_DISABLED", "").equalsIgnoreCase("true")
        && !environment.getOrDefault("OTEL_TRACES_EXPORTER", "").equals("none");
  }

  private static void requireProtocol(String name, Map<String, String> environment) {
    var protocol = environment.getOrDefault(name, "");
    if (!protocol.isBlank() && !protocol.equals(PROTOCOL)) {
      throw new SettingsException(
          "%s: %s is not supported: use %s, and the collector's port for it, usually 4318"
              .formatted(name, protocol, PROTOCOL));
    }
  }

  /** The variables as properties; those of the process itself take precedence. */
  private static Map<String, String> properties(String process, Map<String, String> environment) {
    var properties =
        new HashMap<>(
            Map.of(
                "otel.service.name",
                "middleware-" + process,
                "otel.exporter.otlp.protocol",
                PROTOCOL,
                "otel.metrics.exporter",
                "none",
                "otel.logs.exporter",
                "none"));
    properties.putAll(
        environment.entrySet().stream()
            .filter(variable -> variable.getKey().startsWith("OTEL_"))
            .collect(
                toMap(
                    variable -> variable.getKey().toLowerCase(Locale.ROOT).replace('_', '.'),
                    Map.Entry::getValue)));
    return properties;
  }

  private static OpenTelemetrySdk sdk(Map<String, String> properties) {
    return AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .addPropertiesSupplier(() -> properties)
        .build()
        .getOpenTelemetrySdk();
  }

  Optional<OpenTelemetrySdk> sdk() {
    return sdk;
  }

  /** For clients of Temporal: a trace begins where a workflow is started. */
  public List<WorkflowClientInterceptor> clientInterceptors() {
    return options().stream()
        .<WorkflowClientInterceptor>map(OpenTracingClientInterceptor::new)
        .toList();
  }

  /** For workers: runs, their children and activities belong to the trace of their start. */
  public List<WorkerInterceptor> workerInterceptors() {
    return options().stream().<WorkerInterceptor>map(OpenTracingWorkerInterceptor::new).toList();
  }

  /** For connections to agents: calls belong to the trace of the activity that makes them. */
  public List<ClientInterceptor> agentInterceptors() {
    return sdk.stream().<ClientInterceptor>map(AgentCallTrace::new).toList();
  }

  /** Temporal's library still speaks OpenTelemetry's predecessor. */
  private Optional<OpenTracingOptions> options() {
    return sdk.map(OpenTracingShim::createTracerShim)
        .map(tracer -> OpenTracingOptions.newBuilder().setTracer(tracer).build());
  }

  /** Sends what is left, for as long as the collector answers soon. */
  @Override
  public void close() {
    sdk.ifPresent(it -> it.shutdown().join(LONGEST_FLUSH_SECONDS, TimeUnit.SECONDS));
  }
}
