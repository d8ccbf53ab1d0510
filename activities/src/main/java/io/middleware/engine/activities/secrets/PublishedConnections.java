package io.middleware.engine.activities.secrets;

import io.middleware.engine.activities.objects.ObjectWriter;
import io.middleware.engine.activities.objects.ObservedObject;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.cluster.secrets.SecretText;
import io.middleware.engine.render.SecretReference;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes the Secrets by which clients connect, at the end of a task: then all pods of the group
 * accept the password that the task has found. One that has changed since is left to the change
 * that brings it to the pods. A Reapply also writes those again that somebody has deleted or
 * edited, with what the password is now: a rotation has changed it since the last task, or pods
 * accept it when their files have it.
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
        .flatMap(
            connection -> {
              var known = values.of(app, connection.password());
              if (known.isEmpty() && !values.replaceEdited()) {
                return Stream.empty();
              }
              var seen = objects.checkFree(app, group, item(connection.rendered()), fence);
              return values.replaceEdited()
                  ? again(app, connection, known, seen).stream()
                  : complete(app, connection, known).map(it -> new Connection(it, seen)).stream();
            })
        .toList();
  }

  private Optional<Connection> again(
      App app, ConnectionSecret connection, Optional<SecretText> known, ObservedObject seen) {
    var password = connection.password();
    return complete(app, connection, known)
        .or(
            () ->
                complete(app, connection, secrets.value(app, password.name(), password.key()))
                    .filter(it -> !seen.hasOwn(ConnectionSecret.keys(it))))
        .map(it -> new Connection(it, seen.takenOver()));
  }

  /** Writes them. May be repeated. */
  public void write(App app, Group group, List<Connection> connections) {
    connections.forEach(it -> objects.apply(app, group, it.secret(), it.seen()));
  }

  /** The passwords that a task has found; none when it has changed since. */
  public PublishedValues ofTask(TaskRef task) {
    return new PublishedValues() {
      @Override
      public Optional<SecretText> of(App app, SecretReference from) {
        return secrets.value(app, from.name(), from.key(), from.version());
      }

      @Override
      public boolean replaceEdited() {
        return task.type() == ChangeType.REAPPLY;
      }
    };
  }

  private Optional<RenderedObject> complete(
      App app, ConnectionSecret connection, Optional<SecretText> password) {
    var authority =
        connection
            .authority()
            .flatMap(name -> secrets.value(app, name, ConnectionSecret.AUTHORITY));
    return password.map(it -> connection.with(it, authority));
  }

  private static InventoryItem item(RenderedObject object) {
    return new InventoryItem(object.kind().apiVersion(), object.kind().kind(), object.name());
  }
}
