package io.middleware.engine.workflows.secrets;

import io.middleware.engine.workflows.port.SecretActivities;
import java.util.List;

/** Every Secret exists. */
public final class FakeSecrets implements SecretActivities {
  @Override
  public SecretsSeen look(SecretLook look) {
    var app = look.apps().getFirst();
    var name = app.secrets().getFirst().name();
    return new SecretsSeen(
        List.of(
            new SeenSecret(
                app.namespace(), app.name(), name, SecretState.FOUND, "2026-11-28T10:00:00Z")));
  }
}
