package io.middleware.engine.process.agents;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A certificate that nobody but itself has signed, and its key; both as PEM. */
public record Identity(String certificate, String key) {
  private static final String PASSWORD = "password";

  /**
   * @param name that the certificate is for
   */
  public static Identity of(String name, Path folder) {
    try {
      var file = Files.createTempDirectory(folder, name).resolve("store.p12");
      keytool(
          List.of(
              "-genkeypair",
              "-alias",
              "it",
              "-keyalg",
              "EC",
              "-dname",
              "CN=" + name,
              "-ext",
              "san=dns:" + name,
              "-storetype",
              "PKCS12",
              "-storepass",
              PASSWORD,
              "-keystore",
              file.toString()));
      var store = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
      return new Identity(
          pem("CERTIFICATE", store.getCertificate("it").getEncoded()),
          pem("PRIVATE KEY", store.getKey("it", PASSWORD.toCharArray()).getEncoded()));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("make a certificate for " + name, e);
    }
  }

  /** What the engine needs to show this identity to those who show the other. */
  public TlsSecret towards(Identity known, String version) {
    var data =
        Map.of(
            TlsSecret.AUTHORITY, base64(known.certificate),
            TlsSecret.CERTIFICATE, base64(certificate),
            TlsSecret.KEY, base64(key));
    return new TlsSecret("middleware-system/agents", version, data);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void keytool(List<String> arguments) throws IOException {
    var command = new ArrayList<>(arguments);
    command.addFirst(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static String pem(String kind, byte[] content) {
    var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, lines);
  }
}
