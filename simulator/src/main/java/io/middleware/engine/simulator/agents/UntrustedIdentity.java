package io.middleware.engine.simulator.agents;

import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;

/** A self-signed certificate with the correct name, created on first use. Used by one thread. */
final class UntrustedIdentity {
  private static final String PASSWORD = "password";

  private ServerCredentials credentials;

  ServerCredentials credentials() throws IOException {
    if (credentials == null) {
      credentials = create();
    }
    return credentials;
  }

  private static ServerCredentials create() throws IOException {
    var folder = Files.createTempDirectory("untrusted-identity");
    var file = folder.resolve("store.p12");
    try {
      keytool(file);
      var store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, PASSWORD.toCharArray());
      return TlsServerCredentials.newBuilder().keyManager(keys.getKeyManagers()).build();
    } catch (GeneralSecurityException e) {
      throw new IOException("read the certificate in " + file, e);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  private static void keytool(Path file) throws IOException {
    var program = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var arguments =
        "-genkeypair -alias agent -keyalg EC -dname CN=middleware-agent -ext san=dns:middleware-agent"
            + " -validity 3650 -storetype PKCS12 -storepass %s -keystore %s"
                .formatted(PASSWORD, file);
    var process =
        new ProcessBuilder(
                Stream.concat(Stream.of(program), Stream.of(arguments.split(" ", -1))).toList())
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("keytool failed: " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
