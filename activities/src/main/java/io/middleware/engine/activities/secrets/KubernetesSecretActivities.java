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
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@inheritDoc} */
public final class KubernetesSecretActivities implements SecretActivities {
  private static final Logger LOG = LoggerFactory.getLogger(KubernetesSecretActivities.class);

  /** Of a look: the watcher waits for a minute, and what was read by then is to arrive. */
  private static final Duration LONGEST = Duration.ofSeconds(40);

  private final AppSecrets secrets;
  private final InstantSource clock;

  public KubernetesSecretActivities(AppSecrets secrets, InstantSource clock) {
    this.secrets = secrets;
    this.clock = clock;
  }

  /**
   * Ends at the first Secret that nobody answers for, because the next ones would wait as long; and
   * after {@link #LONGEST}. An App whose Secret cannot be read for another reason is left out.
   */
  @Override
  public SecretsSeen look(SecretLook look) {
    var end = clock.instant().plus(LONGEST);
    var seen = new ArrayList<SeenSecret>();
    for (var app : look.apps()) {
      if (clock.instant().isAfter(end)) {
        LOG.atWarn()
            .addArgument(LONGEST.toSeconds())
            .addArgument(app.namespace())
            .addArgument(app.name())
            .log("Secrets were not all read within {} s: App {}/{} waits for a later look");
        break;
      }
      if (!isAnswered(app, seen)) {
        break;
      }
    }
    return new SecretsSeen(seen);
  }

  /** Adds what is known of an App's Secrets; false when nobody answers. */
  private boolean isAnswered(LookedUpApp app, List<SeenSecret> seen) {
    var object = object(app);
    try {
      app.secrets().forEach(secret -> seen(app, object, secret).ifPresent(seen::add));
      return true;
    } catch (KubernetesClientException e) {
      LOG.atWarn()
          .addArgument(app.namespace())
          .addArgument(app.name())
          .addArgument(Faults.message(e))
          .log("the Secrets of App {}/{} were not all read: {}; a later look retries");
      return e.getCode() > 0;
    }
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
