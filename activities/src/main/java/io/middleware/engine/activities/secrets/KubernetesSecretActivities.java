package io.middleware.engine.activities.secrets;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpecBuilder;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.cluster.secrets.SecretContent.Found;
import io.middleware.engine.cluster.secrets.SecretContent.Missing;
import io.middleware.engine.workflows.port.SecretActivities;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@inheritDoc} */
public final class KubernetesSecretActivities implements SecretActivities {
  private static final Logger LOG = LoggerFactory.getLogger(KubernetesSecretActivities.class);

  private final AppSecrets secrets;

  public KubernetesSecretActivities(AppSecrets secrets) {
    this.secrets = secrets;
  }

  /** Ends at the first Secret that nobody answers for: the next ones would wait as long. */
  @Override
  public SecretsSeen look(SecretLook look) {
    var seen = new ArrayList<SeenSecret>();
    try {
      for (var app : look.apps()) {
        var object = object(app);
        app.secrets().forEach(secret -> seen(app, object, secret).ifPresent(seen::add));
      }
    } catch (KubernetesClientException e) {
      LOG.atInfo().setCause(e).log("Secrets were not all looked up");
    }
    return new SecretsSeen(seen);
  }

  /** As much of the App as it takes to act as its account. */
  private static App object(LookedUpApp app) {
    var object = new App();
    object.setMetadata(
        new ObjectMetaBuilder().withNamespace(app.namespace()).withName(app.name()).build());
    object.setSpec(AppSpecBuilder.builder().serviceAccountName(app.account().orElse(null)).build());
    return object;
  }

  /** Empty while a refusal may be a mistake. */
  private Optional<SeenSecret> seen(LookedUpApp app, App object, LookedUpSecret secret) {
    var name = secret.name();
    var keys = secret.keys().toArray(String[]::new);
    try {
      return Optional.of(
          switch (secrets.content(object, name, keys)) {
            case Found(var version) -> seen(app, name, SecretState.FOUND, version);
            case Missing(var problem) -> seen(app, name, SecretState.MISSING, problem);
          });
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e;
      }
      return Faults.isDoubted(e)
          ? Optional.empty()
          : Optional.of(seen(app, name, SecretState.FORBIDDEN, forbidden(app, name, e)));
    }
  }

  private static String forbidden(LookedUpApp app, String name, KubernetesClientException e) {
    return "Secret %s/%s cannot be read: %s: give the App's service account the right to get it"
        .formatted(app.namespace(), name, Faults.message(e));
  }

  private static SeenSecret seen(LookedUpApp app, String name, SecretState state, String text) {
    return new SeenSecret(app.namespace(), app.name(), name, state, text);
  }
}
