package io.middleware.engine.process;

import io.temporal.envconfig.ClientConfigTLS;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the TLS files of a profile contain, as text; empty for what the profile does not name. */
record TlsContent(String authority, String certificate, String key) {

  static boolean isInFiles(ClientConfigTLS tls) {
    return isNamed(tls.getServerCACertPath())
        || isNamed(tls.getClientCertPath())
        || isNamed(tls.getClientKeyPath());
  }

  static TlsContent of(ClientConfigTLS tls) throws IOException {
    return new TlsContent(
        read(tls.getServerCACertPath(), tls.getServerCACertData()),
        read(tls.getClientCertPath(), tls.getClientCertData()),
        read(tls.getClientKeyPath(), tls.getClientKeyData()));
  }

  /** The settings with this content instead of the files. */
  ClientConfigTLS in(ClientConfigTLS tls) {
    return tls.toBuilder()
        .setServerCACertPath(null)
        .setServerCACertData(bytes(authority))
        .setClientCertPath(null)
        .setClientCertData(bytes(certificate))
        .setClientKeyPath(null)
        .setClientKeyData(bytes(key))
        .build();
  }

  /** The end of the client certificate's validity, if there is a client certificate. */
  Optional<Instant> validUntil() throws CertificateException {
    return certificate.isEmpty()
        ? Optional.empty()
        : Optional.of(clientCertificate().getNotAfter().toInstant());
  }

  /**
   * Files are replaced one after the other: a new certificate may be beside the earlier key.
   *
   * @throws GeneralSecurityException when certificate and key do not belong together
   */
  void requireMatchingKey() throws IOException, GeneralSecurityException {
    if (!certificate.isEmpty()
        && !isPair(
            RenewableSslContext.privateKey(stream(key)), clientCertificate().getPublicKey())) {
      throw new CertificateException("the client certificate does not belong to the key");
    }
  }

  private static boolean isPair(PrivateKey key, PublicKey certified)
      throws GeneralSecurityException {
    if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
      return false;
    }
    var algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    var signing = Signature.getInstance(algorithm);
    signing.initSign(key);
    signing.update((byte) 1);
    var signature = signing.sign();
    var verifying = Signature.getInstance(algorithm);
    verifying.initVerify(certified);
    verifying.update((byte) 1);
    return verifying.verify(signature);
  }

  private X509Certificate clientCertificate() throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(stream(certificate));
  }

  private static boolean isNamed(String path) {
    return path != null && !path.isEmpty();
  }

  private static String read(String path, byte[] data) throws IOException {
    if (isNamed(path)) {
      return Files.readString(Path.of(path), StandardCharsets.ISO_8859_1);
    }
    return data == null ? "" : new String(data, StandardCharsets.ISO_8859_1);
  }

  /** None is null for the library. */
  private static byte @Nullable [] bytes(String text) {
    return text.isEmpty() ? null : text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
