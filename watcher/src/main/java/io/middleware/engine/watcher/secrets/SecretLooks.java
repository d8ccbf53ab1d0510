package io.middleware.engine.watcher.secrets;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import io.middleware.engine.workflows.port.SecretActivities.SeenSecret;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then whether the Secrets of Apps have changed. An App that uses none of others
 * costs nothing.
 *
 * <ol>
 *   <li>A turn begins a minute after the last one, and a bit: an App is looked at once a minute at
 *       most.
 *   <li>It asks for at most {@link #READS} Secrets, those first that were not asked for longest. So
 *       with more of them, each is read less often. One that nobody answers for was asked for, too:
 *       it does not keep the others from their turn.
 *   <li>Among Apps that were asked at the same time, chance decides: a look may end early, and not
 *       always at the same App.
 *   <li>An App is reconciled when what is known of its Secrets asks for a change or another
 *       condition. Where nobody answers, what was known last stays.
 * </ol>
 */
public final class SecretLooks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SecretLooks.class);

  /** At most one change a minute follows a Secret that others write without end. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  /** So several engines do not ask at the same time for good. */
  private static final Duration JITTER = Duration.ofSeconds(5);

  /** In a turn: one read a second. */
  static final int READS = 60;

  private final Map<ResourceID, FollowedSecrets> followed = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("secrets").factory());
  private final SecretReader reader;
  private final Consumer<ResourceID> reconcile;
  private final InstantSource clock;

  /**
   * @param reconcile requests another reconciliation
   */
  public SecretLooks(
      TemporalSecretReader reader, Consumer<ResourceID> reconcile, InstantSource clock) {
    this((SecretReader) reader, reconcile, clock);
  }

  SecretLooks(SecretReader reader, Consumer<ResourceID> reconcile, InstantSource clock) {
    this.reader = reader;
    this.reconcile = reconcile;
    this.clock = clock;
  }

  /** Takes turns from now on; returns at once. */
  public void start() {
    next(Duration.ofMillis(ThreadLocalRandom.current().nextLong(PAUSE.toMillis())));
  }

  private void next(Duration pause) {
    timer.schedule(this::turnAndNext, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void turnAndNext() {
    try {
      turn();
    } catch (TemporalUnavailableException e) {
      LOG.atDebug().setCause(e).log("the look at Secrets waits for Temporal");
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("Secrets were not looked up; retrying");
    } finally {
      if (!timer.isShutdown()) {
        next(PAUSE.plusMillis(ThreadLocalRandom.current().nextLong(JITTER.toMillis())));
      }
    }
  }

  /**
   * Notes with which Secrets an App is deployed.
   *
   * @return what is known of those that are missing
   */
  public List<SeenSecret> observe(App app, List<Component> components) {
    var id = ResourceID.fromResource(app);
    var deployed = DeployedSecrets.of(app.getMetadata().getName(), components);
    if (deployed.isEmpty() || app.isMarkedForDeletion()) {
      followed.remove(id);
      return List.of();
    }
    var account = Optional.ofNullable(app.getSpec()).map(AppSpec::serviceAccountName);
    return followed
        .merge(
            id,
            new FollowedSecrets(account, deployed, ended(app)),
            (before, now) -> now.after(before))
        .missing();
  }

  /** The App is gone. */
  public void forget(ResourceID id) {
    followed.remove(id);
  }

  /** Whether a Secret has changed that its last change has not seen. */
  public boolean haveChanged(App app) {
    return Optional.ofNullable(followed.get(ResourceID.fromResource(app)))
        .filter(it -> it.haveChangedSince(ended(app)))
        .isPresent();
  }

  private static Optional<String> ended(App app) {
    return Optional.ofNullable(app.getStatus())
        .map(AppStatus::change)
        .map(ChangeStatus::completedAt);
  }

  void turn() {
    var now = clock.instant();
    var due = due(now);
    if (due.isEmpty()) {
      return;
    }
    due.keySet().forEach(id -> followed.computeIfPresent(id, (key, known) -> known.asked(now)));
    var apps = due.entrySet().stream().map(it -> it.getValue().lookUp(it.getKey())).toList();
    var seen =
        reader.read(apps).stream()
            .collect(groupingBy(it -> new ResourceID(it.app(), it.namespace())));
    seen.forEach(
        (id, found) -> {
          var look = requireNonNull(due.get(id)).found(now, found);
          var before = followed.get(id);
          var after = followed.computeIfPresent(id, (key, known) -> known.with(look));
          if (before != null && after != null && after.concernsMore(before)) {
            reconcile.accept(id);
          }
        });
  }

  /** In the order in which they are to be read. */
  private Map<ResourceID, FollowedSecrets> due(Instant now) {
    var inTurn = new ArrayList<Map.Entry<ResourceID, FollowedSecrets>>();
    followed.forEach((id, app) -> inTurn.add(Map.entry(id, app)));
    inTurn.removeIf(it -> !it.getValue().isDue(now));
    Collections.shuffle(inTurn);
    inTurn.sort(Comparator.comparing(it -> it.getValue().asked()));
    var chosen = new LinkedHashMap<ResourceID, FollowedSecrets>();
    var reads = 0;
    for (var app : inTurn) {
      reads += app.getValue().deployed().byName().size();
      if (!chosen.isEmpty() && reads > READS) {
        break;
      }
      chosen.put(app.getKey(), app.getValue());
    }
    return chosen;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
