package io.middleware.engine.activities.rotation;

import static java.util.Objects.requireNonNull;
import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.rotation.RotationRound.Step;
import io.middleware.engine.activities.secrets.ConnectionPublisher;
import io.middleware.engine.activities.secrets.GeneratedValues;
import io.middleware.engine.activities.secrets.PublishedValues;
import io.middleware.engine.api.App;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.cluster.secrets.RotatedSecret;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Rotates the secrets of a component. At each moment the servers accept the value that clients
 * read.
 *
 * <ol>
 *   <li><b>Add.</b> A next value lies beside each value that the engine has made. What others write
 *       is left to them.
 *   <li><b>Accept.</b> All pods accept both, which each agent shows by a login.
 *   <li><b>Publish.</b> In one write the next values become the current ones, and those the
 *       previous ones. Only onto the Secret whose values the pods accept, and once for an
 *       Operation. The Secrets by which clients connect follow.
 *   <li><b>Use.</b> All pods log in to each other with the current values.
 *   <li><b>Retire</b>, after the grace. The previous values go from the Secret, and then from the
 *       servers.
 * </ol>
 *
 * A step that is repeated finds in the Secret how far it is. One that ends in the middle leaves a
 * Secret whose values all work, and the next Operation goes on with it.
 */
public final class ComponentRotation {
  /** Between two rounds: a kubelet takes up to a minute or two. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final PodStepContext context;
  private final SecretUsers users;
  private final AgentActions actions;
  private final AppSecrets secrets;
  private final ConnectionPublisher connections;
  private final TaskRef task;

  public ComponentRotation(
      PodStepContext context,
      SecretUsers users,
      AgentActions actions,
      AppSecrets secrets,
      ConnectionPublisher connections,
      TaskRef task) {
    this.context = context;
    this.users = users;
    this.actions = actions;
    this.secrets = secrets;
    this.connections = connections;
    this.task = task;
  }

  /** Returns when the pods use the new values, and accept the earlier ones as well. */
  public void publish() {
    var app = context.gate().passWithSpec(change());
    var rotated = users.of(app, task);
    var name = rotated.own().generated();
    var keys = rotated.own().generatedKeys();
    Map<String, RotatedSecret> accepted;
    if (keys.isEmpty()) {
      accepted = await(Step.ACCEPT, app, rotated);
    } else {
      var values = new GeneratedValues(app, task.component());
      secrets.addNext(app, name, keys, values::make, operation());
      do {
        accepted = await(Step.ACCEPT, app, rotated);
        context.gate().pass(change());
      } while (!secrets.publish(app, requireNonNull(accepted.get(name)), keys, operation()));
      context
          .reporter()
          .secretsPublished(
              app,
              change(),
              task.component(),
              "key %s of Secret %s has a new value, because %s asks for it"
                  .formatted(String.join(", ", keys), name, change().subject()));
    }
    connections.publish(task, rotated.components(), published(accepted, name, keys));
    await(Step.USE, app, rotated);
  }

  /** What all pods accept; of what the engine has generated, what it has published. */
  private static PublishedValues published(
      Map<String, RotatedSecret> accepted, String generated, Set<String> keys) {
    return (app, from) ->
        Optional.ofNullable(accepted.get(from.name()))
            .flatMap(
                it ->
                    from.name().equals(generated) && keys.contains(from.key())
                        ? it.published(from.key())
                        : it.value(from.key()));
  }

  /** Returns when the pods accept the current values alone. */
  public void retire() {
    var app = context.gate().pass(change());
    var rotated = users.of(app, task);
    var keys = rotated.own().generatedKeys();
    if (!keys.isEmpty()) {
      secrets.retire(app, rotated.own().generated(), keys);
    }
    await(Step.RETIRE, app, rotated);
  }

  /** Returns the Secrets with whose values all pods have taken the step. */
  private Map<String, RotatedSecret> await(Step step, App app, SecretsOfComponent rotated) {
    var rounds = new Rounds(step, app, rotated);
    context.waiter().until(AppKey.of(change()), rounds::missing);
    return rounds.seen;
  }

  /** One round after the other, with a pause between two of them. */
  private final class Rounds {
    private final Step step;
    private final App app;
    private final SecretsOfComponent rotated;
    private Map<String, RotatedSecret> seen = Map.of();
    private Optional<String> missing = Optional.empty();
    private long next = System.nanoTime();

    Rounds(Step step, App app, SecretsOfComponent rotated) {
      this.step = step;
      this.app = app;
      this.rotated = rotated;
    }

    Optional<String> missing() {
      if (System.nanoTime() >= next) {
        seen =
            rotated.names().stream().collect(toMap(identity(), name -> secrets.rotated(app, name)));
        missing =
            new RotationRound(context, actions, change(), step, GeneratedValues.random(16))
                .missing(rotated.groups(), seen);
        next = System.nanoTime() + PAUSE.toNanos();
      }
      return missing;
    }
  }

  private String operation() {
    return change().operation().orElseThrow().uid();
  }

  private ChangeRef change() {
    return task.change();
  }
}
