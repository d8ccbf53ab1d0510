package io.middleware.engine.planning;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.cluster.secrets.SecretContent;
import io.middleware.engine.cluster.secrets.SecretContent.Found;
import io.middleware.engine.cluster.secrets.SecretContent.Missing;
import io.middleware.engine.planning.app.AppRefusedException;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.Refusal;
import io.middleware.engine.planning.app.SecretParameters;
import io.middleware.engine.planning.app.SecretParameters.WantedSecret;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;

/** Looks up the Secrets of an App's parameters while it is planned. Writes nothing. */
final class PlannedSecrets {
  /** Of a Secret that the first task makes, or that an App without pods does without. */
  private static final String NONE = "";

  private final AppSecrets secrets;

  PlannedSecrets(AppSecrets secrets) {
    this.secrets = secrets;
  }

  /**
   * The desired App, with the versions of its Secrets.
   *
   * @throws AppRefusedException when one is missing without which pods cannot start, or may not be
   *     read
   */
  DesiredApp into(App app, DesiredApp desired) {
    var problems = new ArrayList<String>();
    var parameters =
        new SecretParameters(
            desired.app(), desired.spec(), wanted -> version(app, wanted, problems));
    var spec = parameters.spec();
    Refusal.of(Reasons.INVALID_SPEC, problems)
        .ifPresent(
            it -> {
              throw new AppRefusedException(it);
            });
    return desired.with(spec);
  }

  private String version(App app, WantedSecret wanted, List<String> problems) {
    return switch (content(app, wanted)) {
      case Found(var version) -> version;
      case Missing(var problem) -> {
        if (wanted.length().isEmpty() && !app.getSpec().isStopped()) {
          problems.add(wanted.field() + ": " + problem);
        }
        yield NONE;
      }
    };
  }

  private SecretContent content(App app, WantedSecret wanted) {
    var namespace = app.getMetadata().getNamespace();
    try {
      return secrets.content(app, wanted.name(), wanted.key());
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN || Faults.isDoubted(e)) {
        throw Faults.of("read Secret %s/%s".formatted(namespace, wanted.name()), e);
      }
      throw new AppRefusedException(
          MissingImpersonation.refusal(namespace, e)
              .orElseGet(() -> new Refusal(Reasons.WRITE_FORBIDDEN, forbidden(wanted, e))));
    }
  }

  private static String forbidden(WantedSecret wanted, KubernetesClientException e) {
    return "%s: %s: give the App's service account the right to get this Secret, or name another account in spec.serviceAccountName"
        .formatted(wanted.field(), Faults.message(e));
  }
}
