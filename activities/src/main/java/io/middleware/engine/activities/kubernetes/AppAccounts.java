package io.middleware.engine.activities.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.middleware.engine.api.App;

/**
 * Clients for writes in an App's namespace: as the service account that the App names, else as the
 * engine's default one, else with the engine's own rights. A refused impersonation stays refused.
 */
public final class AppAccounts {
  private final KubernetesClient own;
  private final String defaultServiceAccount;

  /**
   * @param own with the engine's own rights
   * @param defaultServiceAccount null or empty for none
   */
  public AppAccounts(KubernetesClient own, String defaultServiceAccount) {
    this.own = own;
    this.defaultServiceAccount = defaultServiceAccount == null ? "" : defaultServiceAccount;
  }

  /** Shares the connections of the engine's own client; need not be closed. */
  public KubernetesClient of(App app) {
    var account = account(app);
    if (account.isEmpty()) {
      return own;
    }
    var user = "system:serviceaccount:" + app.getMetadata().getNamespace() + ":" + account;
    var request =
        new RequestConfigBuilder(own.getConfiguration().getRequestConfig())
            .withImpersonateUsername(user)
            .build();
    return own.newClient(request).adapt(KubernetesClient.class);
  }

  private String account(App app) {
    var named = app.getSpec() == null ? null : app.getSpec().serviceAccountName();
    return named == null || named.isEmpty() ? defaultServiceAccount : named;
  }
}
