package io.middleware.engine.agent.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * A folder of the pod with {@code tls.crt}, {@code tls.key} and {@code ca.crt} of a Secret. The
 * kubelet brings a renewed certificate there within about a minute, so they are read at each use.
 */
public final class CertificateFiles {
  private static final List<String> NAMES = List.of("tls.crt", "tls.key", "ca.crt");

  private final Path folder;
  private String given = "";
  private volatile Optional<String> refusal = Optional.empty();

  public CertificateFiles(Path folder) {
    this.folder = folder;
  }

  /** The certificates of those that are trusted, in PEM; during a change, of two authorities. */
  public Path authority() {
    return folder.resolve("ca.crt");
  }

  /**
   * Gives the server what it has not been given yet. Used by one thread.
   *
   * @param server reads the files again; answers why it refuses them, and keeps the earlier ones
   */
  public void give(Supplier<Optional<String>> server) {
    var now = checksum();
    if (!now.equals(given)) {
      refusal = server.get();
      given = now;
    }
  }

  /** Why the server goes on with the earlier files; empty when it does not. */
  public Optional<String> refusal() {
    return refusal;
  }

  private String checksum() {
    var content = new ByteArrayOutputStream();
    try {
      for (var name : NAMES) {
        content.write(Files.readAllBytes(folder.resolve(name)));
      }
      var digest = MessageDigest.getInstance("SHA-256").digest(content.toByteArray());
      return HexFormat.of().formatHex(digest);
    } catch (IOException e) {
      throw new UncheckedIOException("read the certificates in " + folder, e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * For connections to servers whose certificate one of {@link #authority} has signed. Pods are
   * reached by their addresses, so its name is not looked at.
   */
  public SSLSocketFactory sockets() {
    try (var file = Files.newInputStream(authority())) {
      var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      for (var one : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
        trusted.setCertificateEntry(String.valueOf(trusted.size()), one);
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (IOException e) {
      throw new UncheckedIOException("read " + authority(), e);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "%s must hold certificates in PEM, but: %s".formatted(authority(), e.getMessage()), e);
    }
  }
}
