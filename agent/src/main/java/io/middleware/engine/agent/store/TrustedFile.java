package io.middleware.engine.agent.store;

import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import software.amazon.awssdk.http.TlsTrustManagersProvider;

/** Trusts the authorities in a PEM file, and no others. */
record TrustedFile(Path file) implements TlsTrustManagersProvider {
  @Override
  public TrustManager[] trustManagers() {
    try (var pem = Files.newInputStream(file)) {
      var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      for (var authority : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
        trusted.setCertificateEntry("authority-" + trusted.size(), authority);
      }
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      return factory.getTrustManagers();
    } catch (IOException | GeneralSecurityException e) {
      throw Status.FAILED_PRECONDITION
          .withDescription(
              "cannot read the authorities of the backup store in %s: %s: write certificates in PEM"
                  .formatted(file, e.getMessage()))
          .withCause(e)
          .asRuntimeException();
    }
  }
}
