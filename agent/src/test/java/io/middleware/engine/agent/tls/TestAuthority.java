package io.middleware.engine.agent.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** An authority that signs certificates of servers. */
public final class TestAuthority {
  private static final String PASSWORD = "password";
  private final Path store;
  private int issued;

  /** What {@code tls.crt} and {@code tls.key} hold. */
  public record Issued(String certificate, String key) {}

  public TestAuthority(Path folder) throws IOException {
    store = Files.createTempDirectory(folder, "authority").resolve("store.p12");
    keytool("ca", "-ext", "bc:c");
  }

  /** What {@code ca.crt} holds. */
  public String certificate() {
    return certificate("ca");
  }

  /** Another one each time. */
  public Issued issue() throws IOException {
    var alias = "server-" + issued++;
    keytool(alias, "-signer", "ca");
    return new Issued(certificate(alias), key(alias));
  }

  private String certificate(String alias) {
    try {
      var found = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
      return pem("CERTIFICATE", found.getCertificate(alias).getEncoded());
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private String key(String alias) {
    try {
      var found = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
      return pem("PRIVATE KEY", found.getKey(alias, PASSWORD.toCharArray()).getEncoded());
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(String what, byte[] content) {
    var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what);
  }

  private void keytool(String alias, String... more) throws IOException {
    var program = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var same =
        List.of(
            program,
            "-genkeypair",
            "-alias",
            alias,
            "-keyalg",
            "EC",
            "-dname",
            "CN=" + alias,
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            store.toString());
    var process =
        new ProcessBuilder(Stream.concat(same.stream(), Stream.of(more)).toList())
            .redirectErrorStream(true)
            .start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IllegalStateException("keytool: " + said);
    }
  }
}
