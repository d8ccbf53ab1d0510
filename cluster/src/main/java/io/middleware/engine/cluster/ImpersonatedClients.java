package io.middleware.engine.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.middleware.engine.api.App;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Clients that write in an App's namespace: as the service account that the App names, otherwise as
 * the default one, otherwise as the engine itself. A test always names one. They share the engine's
 * connections and do not retry: the caller decides on retries.
 */
public final class ImpersonatedClients {
  private final Map<String, KubernetesClient> byUser = new ConcurrentHashMap<>();
  private final KubernetesClient engine;
  private final String defaultServiceAccount;

  /**
   * @param engine with the engine's own rights
   * @param defaultServiceAccount for Apps that name none; empty for the engine's own rights
   */
  public ImpersonatedClients(KubernetesClient engine, String defaultServiceAccount) {
    this.engine = engine;
    this.defaultServiceAccount = defaultServiceAccount == null ? "" : defaultServiceAccount;
  }

  public KubernetesClient of(App app) {
    var account = app.getSpec() == null ? null : app.getSpec().serviceAccountName();
    if (account == null || account.isEmpty()) {
      account = defaultServiceAccount;
    }
    return account.isEmpty()
        ? byUser.computeIfAbsent("", this::impersonating)
        : of(app.getMetadata().getNamespace(), account);
  }

  /** Acts as a service account of the namespace. */
  public KubernetesClient of(String namespace, String account) {
    return byUser.computeIfAbsent(
        "system:serviceaccount:%s:%s".formatted(namespace, account), this::impersonating);
  }

  private KubernetesClient impersonating(String user) {
    var config =
        new RequestConfigBuilder(engine.getConfiguration().getRequestConfig())
            .withRequestRetryBackoffLimit(0);
    if (!user.isEmpty()) {
      config.withImpersonateUsername(user);
    }
    return engine.newClient(config.build()).adapt(KubernetesClient.class);
  }
}
