package io.middleware.engine.agent.server;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.ServerCredentials;
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
 * The certificate that agents show, and the authority whose clients may call: files in a folder, as
 * a mounted Secret has them. They are looked at again and again; what has changed holds for the
 * next connection. Files that cannot be used change nothing.
 */
public final class TlsFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
  private static final Duration LOOK = Duration.ofSeconds(10);

  private final Path folder;
  private final AdvancedTlsX509KeyManager identity = new AdvancedTlsX509KeyManager();
  private final AdvancedTlsX509TrustManager clients;
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("tls-files").factory());
  private Content known;

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
    take(Content.of(folder));
  }

  /**
   * @throws IllegalArgumentException when the folder lacks a file, or one cannot be used
   */
  public static TlsFiles in(Path folder) {
    try {
      var files = new TlsFiles(folder);
      files.looks.scheduleWithFixedDelay(
          files::look, LOOK.toMillis(), LOOK.toMillis(), MILLISECONDS);
      return files;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "AGENT_TLS_FOLDER must be a folder with tls.crt, tls.key and ca.crt in PEM, is '%s': %s"
              .formatted(folder, e),
          e);
    }
  }

  /** Of a server that answers only those who show a certificate of the authority. */
  ServerCredentials credentials() {
    return TlsServerCredentials.newBuilder()
        .keyManager(identity)
        .trustManager(new NoIssuersTrustManager(clients))
        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
        .build();
  }

  /** Takes what has changed since the last look. */
  synchronized void look() {
    try {
      var now = Content.of(folder);
      if (!now.equals(known)) {
        take(now);
        LOG.atInfo().addKeyValue("folder", folder).log("new certificates");
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      LOG.atWarn()
          .addKeyValue("folder", folder)
          .addKeyValue("cause", e)
          .log("certificates stay as they were, trying on");
    }
  }

  private void take(Content now) throws IOException, GeneralSecurityException {
    var certificate = certificates(now.certificate);
    var key = CertificateUtils.getPrivateKey(stream(now.key));
    var authority = certificates(now.authority);
    clients.updateTrustCredentials(authority);
    identity.updateIdentityCredentials(certificate, key);
    known = now;
  }

  private static X509Certificate[] certificates(String pem) throws CertificateException {
    var certificates = CertificateUtils.getX509Certificates(stream(pem));
    if (certificates.length == 0) {
      throw new CertificateException("no certificate in it");
    }
    return certificates;
  }

  @Override
  public void close() {
    looks.shutdownNow();
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
