package io.middleware.engine.agent.server;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.CertificateUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of the agents and the authority of their clients, as files of a mounted Secret.
 * The files are checked periodically; new files apply to new connections. Files that are not valid
 * are ignored.
 */
public final class TlsFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

  private final Path folder;
  private final AdvancedTlsX509KeyManager identity = new AdvancedTlsX509KeyManager();
  private final AdvancedTlsX509TrustManager clients;
  private final AdvancedTlsX509TrustManager agents;
  private final ScheduledExecutorService checks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("tls-files").factory());
  private Content current;

  private record Content(String certificate, String key, String authority) {
    static Content of(Path folder) throws IOException {
      return new Content(
          Files.readString(folder.resolve("tls.crt")),
          Files.readString(folder.resolve("tls.key")),
          Files.readString(folder.resolve("ca.crt")));
    }
  }

  private TlsFiles(Path folder) throws IOException, GeneralSecurityException {
    this.folder = folder;
    this.clients =
        AdvancedTlsX509TrustManager.newBuilder()
            .setVerification(AdvancedTlsX509TrustManager.Verification.CERTIFICATE_ONLY_VERIFICATION)
            .build();
    this.agents = AdvancedTlsX509TrustManager.newBuilder().build();
    use(Content.of(folder));
  }

  /**
   * @throws IllegalArgumentException when a file is missing or not valid
   */
  public static TlsFiles in(Path folder) {
    try {
      var files = new TlsFiles(folder);
      files.checks.scheduleWithFixedDelay(
          files::reload, CHECK_INTERVAL.toMillis(), CHECK_INTERVAL.toMillis(), MILLISECONDS);
      return files;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "AGENT_TLS_FOLDER must be a folder with tls.crt, tls.key and ca.crt in PEM, but is '%s': %s"
              .formatted(folder, e),
          e);
    }
  }

  /** The credentials of a server that requires clients to have a certificate of the authority. */
  ServerCredentials credentials() {
    return TlsServerCredentials.newBuilder()
        .keyManager(identity)
        .trustManager(new NoIssuersTrustManager(clients))
        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
        .build();
  }

  /** The credentials of a client of other agents, whose certificates have the same authority. */
  ChannelCredentials clientCredentials() {
    return TlsChannelCredentials.newBuilder().keyManager(identity).trustManager(agents).build();
  }

  /** Uses the files when they have changed. */
  synchronized void reload() {
    try {
      var now = Content.of(folder);
      if (!now.equals(current)) {
        use(now);
        LOG.atInfo().addKeyValue("folder", folder).log("using new certificates");
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      LOG.atWarn()
          .addKeyValue("folder", folder)
          .addKeyValue("cause", e)
          .log("cannot use the new certificates, keeping the old ones; retrying");
    }
  }

  private void use(Content now) throws IOException, GeneralSecurityException {
    var certificate = certificates(now.certificate);
    var key = CertificateUtils.getPrivateKey(stream(now.key));
    var authority = certificates(now.authority);
    clients.updateTrustCredentials(authority);
    agents.updateTrustCredentials(authority);
    identity.updateIdentityCredentials(certificate, key);
    current = now;
  }

  private static X509Certificate[] certificates(String pem) throws CertificateException {
    var certificates = CertificateUtils.getX509Certificates(stream(pem));
    if (certificates.length == 0) {
      throw new CertificateException("the file contains no certificate");
    }
    return certificates;
  }

  @Override
  public void close() {
    checks.shutdownNow();
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
