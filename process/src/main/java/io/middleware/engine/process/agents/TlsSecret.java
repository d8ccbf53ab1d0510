package io.middleware.engine.process.agents;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;

/**
 * The certificates by which the engine and the agents of a Plugin authenticate each other: a Secret
 * in the format of cert-manager.
 *
 * @param version changes whenever the content changes
 * @param data base64 by key, as in the Secret
 */
public record TlsSecret(String name, String version, Map<String, String> data) {
  static final String AUTHORITY = "ca.crt";
  static final String CERTIFICATE = "tls.crt";
  static final String KEY = "tls.key";

  public TlsSecret {
    data = Map.copyOf(data);
  }

  /** Throws InvalidSecretException when a key is missing or not PEM. */
  ChannelCredentials credentials() {
    try {
      return TlsChannelCredentials.newBuilder()
          .trustManager(bytes(AUTHORITY))
          .keyManager(bytes(CERTIFICATE), bytes(KEY))
          .build();
    } catch (IOException e) {
      throw new InvalidSecretException(name, "cannot be used: " + e.getMessage());
    }
  }

  private ByteArrayInputStream bytes(String key) {
    if (!data.containsKey(key)) {
      throw new InvalidSecretException(name, "has no " + key);
    }
    try {
      return new ByteArrayInputStream(Base64.getDecoder().decode(data.get(key)));
    } catch (IllegalArgumentException e) {
      throw new InvalidSecretException(name, "has a value that is not base64: " + key);
    }
  }
}
