package io.middleware.engine.watcher.metadata;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.watcher.cache.ConfigMapCacheTransform;
import io.middleware.engine.watcher.health.AppObservation;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the metadata ConfigMaps of each namespace up to date: one key for each App with deployed
 * Groups, until the App is gone. The updates of a namespace are collected for a while and written
 * together, so that more Apps mean fewer writes for each.
 *
 * <p>No state needs to survive the process: the next process finds unwritten updates as
 * differences, and keys of Apps deleted meanwhile as orphans.
 */
public final class MetadataMirror implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetadataMirror.class);
  private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);
  private static final int DOUBLINGS = 6;
  private static final String NONE = "";

  private final PublishedMetadata published;
  private final MetadataPlacement placement;
  private final CollectionDelays delays;
  private final Map<String, PendingWrite> pendingWrites = new HashMap<>();

  /** By namespace and key: the digest of a write not yet observed; empty for a removed key. */
  private final Map<String, Map<String, String>> unobserved = new HashMap<>();

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("metadata").factory());

  /**
   * How long updates are collected before a write.
   *
   * @param idle while no change of the App runs
   * @param changing while a change runs: pods come and go all the time
   */
  public record CollectionDelays(Duration idle, Duration changing) {
    public static final CollectionDelays DEFAULT =
        new CollectionDelays(Duration.ofSeconds(1), Duration.ofSeconds(5));

    Duration of(boolean isChanging) {
      return isChanging ? changing : idle;
    }

    /** The delay doubles with each failure. */
    Duration after(int failures) {
      return idle.multipliedBy(1L << Math.min(failures, DOUBLINGS));
    }
  }

  /** The pending write of one namespace; the latest text of each App is used. */
  private static final class PendingWrite {
    final Map<String, Optional<String>> keys = new LinkedHashMap<>();
    final int failures;
    long due = Long.MAX_VALUE;

    PendingWrite(int failures) {
      this.failures = failures;
    }
  }

  public MetadataMirror(
      PublishedMetadata published, MetadataWriter writer, CollectionDelays delays) {
    this.published = published;
    this.placement = new MetadataPlacement(published, writer);
    this.delays = delays;
  }

  /** Starts the removal of orphaned keys, once all Apps have been read. */
  public void start() {
    timer.scheduleWithFixedDelay(
        this::sweep, SWEEP_INTERVAL.toSeconds(), SWEEP_INTERVAL.toSeconds(), TimeUnit.SECONDS);
  }

  /** Schedules a write of the App's key if it differs from the observed state. */
  public void mirror(AppObservation observed) {
    var app = ResourceID.fromResource(observed.app());
    var isUnknown = published.digest(app).isEmpty();
    if (observed.groups().isEmpty() || (isUnknown && observed.app().isMarkedForDeletion())) {
      return;
    }
    var text = AppMetadata.of(observed.app(), observed.components(), observed.groups()).text();
    schedule(app, Optional.of(text), delays.of(observed.isChanging()));
  }

  /** Schedules the removal of the key of a deleted App. */
  public void forget(ResourceID app) {
    schedule(app, Optional.empty(), delays.idle());
  }

  /** Whether another client has changed a ConfigMap; own writes are marked as observed. */
  synchronized boolean isForeignChange(ConfigMap now, ConfigMap before) {
    var own = unobserved.getOrDefault(now.getMetadata().getNamespace(), new HashMap<>());
    Map<String, String> was = before.getData() == null ? Map.of() : before.getData();
    Set<String> keys = new HashSet<>(was.keySet());
    keys.addAll(now.getData().keySet());
    var isForeignChange = false;
    for (String key : keys) {
      var is = now.getData().getOrDefault(key, NONE);
      if (!is.equals(was.getOrDefault(key, NONE))) {
        isForeignChange |= !is.equals(own.remove(key));
      }
    }
    return isForeignChange;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  private void sweep() {
    forgetUnobserved();
    published.orphans().forEach(this::forget);
  }

  /** Also forgets writes that changed nothing, for which no event arrives. */
  private synchronized void forgetUnobserved() {
    unobserved.clear();
  }

  private void schedule(ResourceID app, Optional<String> text, Duration within) {
    schedule(app, text, within, published.digest(app).orElse(NONE));
  }

  private synchronized void schedule(
      ResourceID app, Optional<String> text, Duration within, String present) {
    var namespace = app.getNamespace().orElseThrow();
    var pending = pendingWrites.get(namespace);
    var written = unobserved.getOrDefault(namespace, Map.of()).get(app.getName());
    if (digest(text).equals(written == null ? present : written)) {
      if (pending != null) {
        pending.keys.remove(app.getName());
      }
      return;
    }
    if (pending == null) {
      pending = new PendingWrite(0);
      pendingWrites.put(namespace, pending);
    }
    pending.keys.put(app.getName(), text);
    writeWithin(namespace, pending, within);
  }

  /** Schedules the write, or moves it forward; a failed write keeps its own time. */
  private void writeWithin(String namespace, PendingWrite pending, Duration within) {
    var due = System.nanoTime() + within.toNanos();
    if (pending.due == Long.MAX_VALUE || (pending.failures == 0 && due - pending.due < 0)) {
      pending.due = due;
      timer.schedule(() -> write(namespace, pending, due), within.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void write(String namespace, PendingWrite pending, long due) {
    var keys = taken(namespace, pending, due);
    if (keys.isEmpty()) {
      return;
    }
    try {
      logRefused(namespace, placement.write(namespace, keys));
    } catch (KubernetesClientException e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("namespace", namespace)
          .log("cannot write the metadata of {} Apps; retrying", keys.size());
      retry(namespace, keys, pending.failures + 1);
    }
  }

  /** The keys to write now; empty if an earlier write took them or they are no longer needed. */
  private synchronized Map<String, Optional<String>> taken(
      String namespace, PendingWrite pending, long due) {
    if (pending.due != due || !pendingWrites.remove(namespace, pending)) {
      return Map.of();
    }
    pending.keys.forEach(
        (app, text) ->
            unobserved.computeIfAbsent(namespace, any -> new HashMap<>()).put(app, digest(text)));
    return pending.keys;
  }

  private synchronized void retry(
      String namespace, Map<String, Optional<String>> keys, int failures) {
    unobserved.remove(namespace);
    var pending = new PendingWrite(failures);
    pending.keys.putAll(keys);
    var newer = pendingWrites.put(namespace, pending);
    if (newer != null) {
      pending.keys.putAll(newer.keys);
    }
    writeWithin(namespace, pending, delays.after(failures));
  }

  /** A refused text is not retried before the next sweep. */
  private static void logRefused(String namespace, Set<String> refused) {
    if (!refused.isEmpty()) {
      LOG.atWarn()
          .addKeyValue("namespace", namespace)
          .log(
              "the ConfigMaps are full: cannot add the metadata of {}; spread the Apps over more"
                  + " namespaces",
              refused);
    }
  }

  private static String digest(Optional<String> text) {
    return text.map(ConfigMapCacheTransform::digest).orElse(NONE);
  }
}
