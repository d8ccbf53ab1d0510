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
import java.util.HashMap;
import java.util.function.Function;

/** Finds the Secrets of a component as a task begins to carry its values out. */
public final class ComponentSecrets {
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
    var made = new HashMap<String, String>();
    return parameters(
            app,
            wanted ->
                wanted.length().isPresent()
                    ? made.computeIfAbsent(wanted.name(), name -> make(app, name))
                    : version(app, wanted))
        .in(component);
  }

  private static SecretParameters parameters(App app, Function<WantedSecret, String> versions) {
    return new SecretParameters(app.getMetadata().getName(), app.specToDeploy(), versions);
  }

  /** Makes all values of a Secret, as each one changes the version of the others. */
  private String make(App app, String name) {
    return parameters(app, wanted -> "")
        .generated()
        .filter(wanted -> wanted.name().equals(name))
        .map(wanted -> make(app, wanted))
        .reduce((first, last) -> last)
        .orElseThrow();
  }

  private String make(App app, WantedSecret wanted) {
    var length = wanted.length().orElseThrow();
    return secrets.keep(
        app, wanted.component(), wanted.name(), wanted.key(), () -> GeneratedValues.random(length));
  }

  private String version(App app, WantedSecret wanted) {
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
}
