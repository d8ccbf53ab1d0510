package io.middleware.engine.process;

import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.middleware.engine.process.settings.SettingsException;
import io.temporal.envconfig.ClientConfigProfile;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates of the connection to Temporal. Files are checked periodically; new files apply
 * to new connections, and the client makes a new one every minute. Files that are not valid are
 * ignored until they are.
 */
final class TemporalTls implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TemporalTls.class);
  static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

  private final ClientConfigProfile profile;
  private final WorkflowServiceStubsOptions options;
  private final RenewableSslContext context;
  private final ScheduledExecutorService checks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("temporal-tls").factory());
  private volatile TlsContent current;
  private String lastProblem = "";

  private TemporalTls(ClientConfigProfile profile, TlsContent first)
      throws IOException, GeneralSecurityException {
    this.profile = profile;
    this.context = new RenewableSslContext(context(first));
    this.options =
        WorkflowServiceStubsOptions.newBuilder(with(first)).setSslContext(context).build();
    this.current = first;
  }

  /**
   * Empty when the profile names no files.
   *
   * @throws SettingsException when the files cannot be used
   */
  static Optional<TemporalTls> of(ClientConfigProfile profile, Duration checkInterval) {
    var settings = profile.getTls();
    if (settings == null
        || Boolean.TRUE.equals(settings.isDisabled())
        || !TlsContent.isInFiles(settings)) {
      return Optional.empty();
    }
    try {
      var tls = new TemporalTls(profile, TlsContent.of(settings));
      tls.checks.scheduleWithFixedDelay(
          tls::reload, checkInterval.toMillis(), checkInterval.toMillis(), TimeUnit.MILLISECONDS);
      return Optional.of(tls);
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new SettingsException(
          "temporal.profile or TEMPORAL_TLS_*: the TLS files cannot be used: " + message(e));
    }
  }

  /** The options of the profile, with certificates that are renewed. */
  WorkflowServiceStubsOptions options() {
    return options;
  }

  /** Says so when the client certificate is no longer valid: the server refuses it. */
  Optional<String> expiry(Instant now) {
    try {
      return current
          .validUntil()
          .filter(now::isAfter)
          .map(
              end ->
                  "the client certificate %s was valid until %s: renew it".formatted(file(), end));
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private synchronized void reload() {
    try {
      var now = TlsContent.of(profile.getTls());
      if (!now.equals(current)) {
        context.renew(context(now));
        current = now;
        LOG.atInfo()
            .addKeyValue("certificate", file())
            .addKeyValue("validUntil", now.validUntil().map(Instant::toString).orElse(""))
            .log("using new certificates for Temporal");
      }
      lastProblem = "";
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      report(e);
    }
  }

  /** Once for each problem: the files may stay as they are for long. */
  private void report(Exception failure) {
    var problem = message(failure);
    if (!problem.equals(lastProblem)) {
      LOG.atWarn()
          .addKeyValue("certificate", file())
          .addKeyValue("reason", problem)
          .log("cannot use the new certificates for Temporal, keeping the old ones; retrying");
    }
    lastProblem = problem;
  }

  private SslContext context(TlsContent content) throws IOException, GeneralSecurityException {
    content.requireMatchingKey();
    return with(content).getSslContext();
  }

  private WorkflowServiceStubsOptions with(TlsContent content) {
    return profile.toBuilder()
        .setTls(content.in(profile.getTls()))
        .build()
        .toWorkflowServiceStubsOptions();
  }

  private String file() {
    var path = profile.getTls().getClientCertPath();
    return path == null ? "" : path;
  }

  /** The library wraps the cause in a message of its own. */
  private static String message(Exception failure) {
    return String.valueOf(failure.getCause() == null ? failure : failure.getCause());
  }

  @Override
  public void close() {
    checks.shutdownNow();
  }
}
