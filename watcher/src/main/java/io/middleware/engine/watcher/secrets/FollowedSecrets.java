package io.middleware.engine.watcher.secrets;

import static java.util.stream.Collectors.toSet;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.task.Backoff;
import io.middleware.engine.workflows.port.SecretActivities.LookedUpApp;
import io.middleware.engine.workflows.port.SecretActivities.LookedUpSecret;
import io.middleware.engine.workflows.port.SecretActivities.SecretState;
import io.middleware.engine.workflows.port.SecretActivities.SeenSecret;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The Secrets of one App, and what the last look at them has found.
 *
 * @param account of the App; empty for the default one
 * @param deployed as the Components have them now
 * @param ended when the App's last change ended, in the words of its status
 * @param asked when the last look began that was to read them, whatever has become of it
 */
record FollowedSecrets(
    Optional<String> account,
    DeployedSecrets deployed,
    Optional<String> ended,
    Instant asked,
    Optional<Look> look) {
  /** A change that did not take a version over is asked for again after these pauses. */
  private static final Backoff AGAIN = new Backoff(Duration.ofMinutes(1), Duration.ofHours(1));

  /**
   * What a look has found.
   *
   * @param at when it began
   * @param deployed as the Components had them then
   * @param ended when the App's last change had ended, as the watcher knew it then
   * @param same how many looks before have found the same, and have asked for a change
   */
  record Look(
      Instant at,
      DeployedSecrets deployed,
      Optional<String> ended,
      List<SeenSecret> seen,
      int same) {
    Look {
      seen = List.copyOf(seen);
    }

    private Look after(Look before) {
      var again = deployed.equals(before.deployed) && seen.equals(before.seen) && haveChanged();
      return new Look(at, deployed, ended, seen, again ? before.same + 1 : 0);
    }

    /** A Secret that is still used, and that nobody has answered for, is missing as it was. */
    private Look or(Look before) {
      var names = seen.stream().map(SeenSecret::name).collect(toSet());
      var still =
          before.seen.stream()
              .filter(it -> it.state() != SecretState.FOUND)
              .filter(it -> deployed.byName().containsKey(it.name()))
              .filter(it -> !names.contains(it.name()));
      return new Look(at, deployed, ended, Stream.concat(seen.stream(), still).toList(), same);
    }

    /** While one is missing, a change would be refused. */
    private boolean haveChanged() {
      return seen.stream().allMatch(it -> it.state() == SecretState.FOUND)
          && seen.stream().anyMatch(this::hasChanged);
    }

    private boolean hasChanged(SeenSecret secret) {
      var use = deployed.byName().get(secret.name());
      return use != null && use.versions().stream().anyMatch(it -> !it.equals(secret.text()));
    }
  }

  /** An App that was never looked at. */
  FollowedSecrets(Optional<String> account, DeployedSecrets deployed, Optional<String> ended) {
    this(account, deployed, ended, Instant.MIN, Optional.empty());
  }

  /** The same App as the watcher sees it now. */
  FollowedSecrets after(FollowedSecrets before) {
    return new FollowedSecrets(account, deployed, ended, before.asked, before.look);
  }

  FollowedSecrets asked(Instant now) {
    return new FollowedSecrets(account, deployed, ended, now, look);
  }

  /** What a look at these Secrets has found that began at this time. */
  Look found(Instant at, List<SeenSecret> seen) {
    return new Look(at, deployed, ended, seen, 0);
  }

  FollowedSecrets with(Look newest) {
    var next = look.map(before -> newest.or(before).after(before)).orElse(newest);
    return new FollowedSecrets(account, deployed, ended, asked, Optional.of(next));
  }

  LookedUpApp lookUp(ResourceID app) {
    var secrets =
        deployed.byName().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(it -> new LookedUpSecret(it.getKey(), sorted(it.getValue().keys())))
            .toList();
    return new LookedUpApp(app.getNamespace().orElseThrow(), app.getName(), account, secrets);
  }

  private static List<String> sorted(Set<String> keys) {
    return keys.stream().sorted().toList();
  }

  /** Whether the App is to be looked at in a turn that begins now. */
  boolean isDue(Instant now) {
    return look.filter(it -> it.same() > 0 && it.deployed().equals(deployed))
        .filter(it -> now.isBefore(it.at().plus(AGAIN.after(it.same()))))
        .isEmpty();
  }

  /** Those that are missing, or that may not be read, of Components that are to run. */
  List<SeenSecret> missing() {
    return look.stream()
        .flatMap(it -> it.seen().stream())
        .filter(it -> it.state() != SecretState.FOUND)
        .filter(it -> isNeeded(it.name()))
        .toList();
  }

  private boolean isNeeded(String name) {
    var use = deployed.byName().get(name);
    return use != null && use.needed();
  }

  /**
   * Whether the look has found what the Components do not have, and what no change has been able to
   * take over since. An end that the look did not know may be of a change that has read more than
   * the look; its time is only compared for equality, because another process's clock wrote it.
   *
   * @param change when the last one ended; empty while one is under way
   */
  boolean haveChangedSince(Optional<String> change) {
    return look.filter(Look::haveChanged)
        .filter(it -> it.deployed().equals(deployed))
        .filter(it -> change.isEmpty() || change.equals(it.ended()))
        .isPresent();
  }

  /** Whether the App is to be reconciled because of what the look has found. */
  boolean concernsMore(FollowedSecrets before) {
    return !missing().equals(before.missing()) || look.filter(Look::haveChanged).isPresent();
  }
}
