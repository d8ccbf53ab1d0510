package io.middleware.engine.activities.secrets;

import io.middleware.engine.api.App;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.cluster.secrets.SecretContent.Found;
import io.middleware.engine.cluster.secrets.SecretContent.Missing;
import io.middleware.engine.planning.app.SecretParameters;
import io.middleware.engine.planning.app.SecretParameters.WantedSecret;
import java.security.SecureRandom;

/** Finds the Secrets of a component as a task begins to carry its values out. */
public final class ComponentSecrets {
  /** Letters and digits alone need no quotes in any configuration file, shell or address. */
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  private final SecureRandom random = new SecureRandom();
  private final AppSecrets secrets;

  public ComponentSecrets(AppSecrets secrets) {
    this.secrets = secrets;
  }

  /**
   * The component with the versions of its Secrets. Values that are to be generated, and are not
   * there yet, are made now. May be repeated: what was made is found.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when a value is missing that
   *     others make, and the App is to run
   */
  public ComponentTemplate into(App app, ComponentTemplate component) {
    return new SecretParameters(
            app.getMetadata().getName(), app.specToDeploy(), wanted -> version(app, wanted))
        .in(component);
  }

  private String version(App app, WantedSecret wanted) {
    if (wanted.length().isPresent()) {
      var length = wanted.length().getAsInt();
      return secrets.keep(
          app, wanted.component(), wanted.name(), wanted.key(), () -> password(length));
    }
    var attempted = "read Secret " + wanted.name();
    return switch (Faults.attempt(
        attempted, () -> secrets.content(app, wanted.name(), wanted.key()))) {
      case Found(var version) -> version;
      case Missing(var problem) -> missing(app, wanted, problem);
    };
  }

  private static String missing(App app, WantedSecret wanted, String problem) {
    if (app.getSpec().isStopped()) {
      return "";
    }
    throw Faults.of(
        FaultKind.INVALID, "%s: %s, then retry the task".formatted(wanted.field(), problem));
  }

  private String password(int length) {
    return random
        .ints(length, 0, ALPHABET.length())
        .collect(
            StringBuilder::new,
            (text, at) -> text.append(ALPHABET.charAt(at)),
            StringBuilder::append)
        .toString();
  }
}
