package io.middleware.engine.activities.secrets;

import io.middleware.engine.activities.objects.ObjectWriter;
import io.middleware.engine.activities.objects.ObservedObject;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.cluster.secrets.SecretText;
import io.middleware.engine.render.SecretReference;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import java.util.List;
import java.util.Optional;

/**
 * Writes the Secrets by which clients connect, at the end of a task: then all pods of the group
 * accept the password that the task has found. One that has changed since is left to the change
 * that brings it to the pods.
 */
public final class PublishedConnections {
  private final ObjectWriter objects;
  private final AppSecrets secrets;

  public PublishedConnections(ObjectWriter objects, AppSecrets secrets) {
    this.objects = objects;
    this.secrets = secrets;
  }

  /** A Secret as it is to be written onto what was read. */
  public record Connection(RenderedObject secret, ObservedObject seen) {
    @Override
    public String toString() {
      return secret.name();
    }
  }

  /**
   * Reads what is to be published of these objects of a group.
   *
   * @param values the passwords that all pods of the group accept
   * @param fence checks the run lock again when one has changed before it is written
   * @throws io.temporal.failure.ApplicationFailure when a Secret of the name belongs to others
   */
  public List<Connection> read(
      App app, Group group, RenderedObjects rendered, PublishedValues values, Runnable fence) {
    return rendered.inOrder().stream()
        .flatMap(object -> ConnectionSecret.of(object).stream())
        .flatMap(connection -> complete(app, connection, values).stream())
        .map(secret -> new Connection(secret, objects.checkFree(app, group, item(secret), fence)))
        .toList();
  }

  /** Writes them. May be repeated. */
  public void write(App app, Group group, List<Connection> connections) {
    connections.forEach(it -> objects.apply(app, group, it.secret(), it.seen()));
  }

  /** The password that a task has found; empty when it has changed since. */
  public Optional<SecretText> ofTask(App app, SecretReference from) {
    return secrets.value(app, from.name(), from.key(), from.version());
  }

  private Optional<RenderedObject> complete(
      App app, ConnectionSecret connection, PublishedValues values) {
    var authority =
        connection
            .authority()
            .flatMap(name -> secrets.value(app, name, ConnectionSecret.AUTHORITY));
    return values.of(app, connection.password()).map(it -> connection.with(it, authority));
  }

  private static InventoryItem item(RenderedObject object) {
    return new InventoryItem(object.kind().apiVersion(), object.kind().kind(), object.name());
  }
}
