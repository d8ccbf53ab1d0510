package io.middleware.engine.process;

import com.google.common.base.Throwables;
import com.uber.m3.tally.RootScopeBuilder;
import com.uber.m3.tally.Scope;
import com.uber.m3.tally.ScopeCloseException;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.process.settings.SettingsException;
import io.middleware.engine.process.trace.Tracing;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.ListSearchAttributesRequest;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.interceptors.WorkflowClientInterceptor;
import io.temporal.common.reporter.MicrometerClientStatsReporter;
import io.temporal.envconfig.ClientConfigProfile;
import io.temporal.serviceclient.OperatorServiceStubs;
import io.temporal.serviceclient.OperatorServiceStubsOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection to Temporal. It is opened by the first call, so Temporal may be down before. */
public final class TemporalConnection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TemporalConnection.class);
  private static final com.uber.m3.util.Duration REPORT_EVERY =
      com.uber.m3.util.Duration.ofSeconds(5);
  private static final Duration PING = Duration.ofSeconds(2);

  private final String address;
  private final Optional<TemporalTls> tls;
  private final TaskPolls polls = new TaskPolls(System::nanoTime);
  private final Scope metrics;
  private final WorkflowServiceStubs stubs;
  private final OperatorServiceStubs operatorStubs;
  private final WorkflowClient client;

  TemporalConnection(
      String process,
      ClientConfigProfile profile,
      MeterRegistry registry,
      Tracing tracing,
      Duration tlsInterval) {
    address = profile.getAddress();
    tls = TemporalTls.of(profile, tlsInterval);
    metrics =
        new RootScopeBuilder()
            .reporter(new MicrometerClientStatsReporter(registry))
            .reportEvery(REPORT_EVERY);
    var options =
        WorkflowServiceStubsOptions.newBuilder(
                tls.map(TemporalTls::options).orElseGet(profile::toWorkflowServiceStubsOptions))
            .setMetricsScope(metrics)
            .setGrpcClientInterceptors(List.of(polls))
            .build();
    stubs = WorkflowServiceStubs.newServiceStubs(options);
    operatorStubs =
        OperatorServiceStubs.newServiceStubs(
            OperatorServiceStubsOptions.newBuilder()
                .setChannel(stubs.getRawChannel())
                .setGrpcMetadataProviders(options.getGrpcMetadataProviders())
                .setMetricsScope(metrics)
                .validateAndBuildWithDefaults());
    client =
        WorkflowClient.newInstance(
            stubs,
            WorkflowClientOptions.newBuilder(profile.toWorkflowClientOptions())
                .setIdentity(process + ":" + ManagementFactory.getRuntimeMXBean().getName())
                .setDataConverter(PayloadConverter.create())
                .setInterceptors(
                    tracing.clientInterceptors().toArray(WorkflowClientInterceptor[]::new))
                .build());
  }

  /**
   * @param process the first part of the identity that histories show
   * @param environment the TEMPORAL_* variables are taken from it
   * @throws SettingsException when the profile or its certificates cannot be read
   */
  public static TemporalConnection open(
      String process,
      EngineSettings.TemporalSettings settings,
      MeterRegistry registry,
      Tracing tracing,
      Map<String, String> environment) {
    ClientConfigProfile profile = TemporalProfile.of(settings, environment);
    return new TemporalConnection(process, profile, registry, tracing, TemporalTls.CHECK_INTERVAL);
  }

  public WorkflowClient client() {
    return client;
  }

  public WorkflowServiceStubs stubs() {
    return stubs;
  }

  public String namespace() {
    return client.getOptions().getNamespace();
  }

  /** The readiness check {@code temporal}. */
  public HealthCheck check() {
    return HealthCheck.of("temporal", this::problem);
  }

  /** The polls of the workers that use this connection. */
  public TaskPolls polls() {
    return polls;
  }

  /** The readiness check {@code search attributes}: without them no change begins. */
  public HealthCheck check(Collection<SearchAttributeKey<?>> required) {
    var check =
        new SearchAttributesCheck(this::searchAttributes, namespace(), required, System::nanoTime);
    return new HealthCheck("search attributes", check::look);
  }

  private Map<String, IndexedValueType> searchAttributes() {
    var request = ListSearchAttributesRequest.newBuilder().setNamespace(namespace()).build();
    return operatorStubs
        .blockingStub()
        .withDeadlineAfter(PING.toMillis(), TimeUnit.MILLISECONDS)
        .listSearchAttributes(request)
        .getCustomAttributesMap();
  }

  /** Waits until Temporal answers: workers and their pollers cannot start without it. */
  public void awaitReachable() throws InterruptedException {
    Optional<String> problem = problem();
    while (problem.isPresent()) {
      LOG.atWarn().addKeyValue("reason", problem.get()).log("Temporal does not answer; retrying");
      TimeUnit.MILLISECONDS.sleep(PING.toMillis());
      problem = problem();
    }
  }

  private Optional<String> problem() {
    var request = DescribeNamespaceRequest.newBuilder().setNamespace(namespace()).build();
    try {
      stubs
          .blockingStub()
          .withDeadlineAfter(PING.toMillis(), TimeUnit.MILLISECONDS)
          .describeNamespace(request);
      return Optional.empty();
    } catch (StatusRuntimeException e) {
      return Optional.of(
          "%s, namespace %s: %s%s"
              .formatted(
                  address,
                  namespace(),
                  reason(e),
                  tls.flatMap(files -> files.expiry(Instant.now())).map("; "::concat).orElse("")));
    }
  }

  /** A failure's first line and its first cause: between them the library describes itself. */
  static String reason(RuntimeException failure) {
    var message = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    return failure.getCause() == null
        ? message
        : "%s (%s)".formatted(message, Throwables.getRootCause(failure).getMessage());
  }

  @Override
  public void close() {
    tls.ifPresent(TemporalTls::close);
    stubs.shutdownNow();
    stubs.awaitTermination(PING.toMillis(), TimeUnit.MILLISECONDS);
    try {
      metrics.close();
    } catch (ScopeCloseException e) {
      throw new IllegalStateException("cannot report the last metrics", e);
    }
  }
}
