package io.middleware.engine.activities.agents;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.api.task.FaultKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;

/**
 * By what the engine and the agents of a plugin know each other: a Secret as cert-manager writes
 * it.
 *
 * @param version another one whenever the content is another
 * @param data base64 by key, as in the Secret
 */
public record TlsSecret(String name, String version, Map<String, String> data) {
  private static final String AUTHORITY = "ca.crt";
  private static final String CERTIFICATE = "tls.crt";
  private static final String KEY = "tls.key";

  public TlsSecret {
    data = Map.copyOf(data);
  }

  /**
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when a key is missing or not PEM
   */
  ChannelCredentials credentials() {
    try {
      return TlsChannelCredentials.newBuilder()
          .trustManager(bytes(AUTHORITY))
          .keyManager(bytes(CERTIFICATE), bytes(KEY))
          .build();
    } catch (IOException e) {
      throw unfit("cannot be used: " + e.getMessage());
    }
  }

  private ByteArrayInputStream bytes(String key) {
    if (!data.containsKey(key)) {
      throw unfit("has no " + key);
    }
    try {
      return new ByteArrayInputStream(Base64.getDecoder().decode(data.get(key)));
    } catch (IllegalArgumentException e) {
      throw unfit("holds no base64 in " + key);
    }
  }

  /** The failure to throw because of it. */
  RuntimeException unfit(String how) {
    return Faults.of(
        FaultKind.INVALID,
        "Secret %s, which the Plugin names in spec.agent.tls, %s; it needs %s, %s and %s in PEM"
            .formatted(name, how, AUTHORITY, CERTIFICATE, KEY));
  }
}
