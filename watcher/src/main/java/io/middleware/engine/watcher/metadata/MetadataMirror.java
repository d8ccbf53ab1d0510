package io.middleware.engine.watcher.metadata;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.watcher.cache.MetadataCacheTransform;
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
 * Keeps the ConfigMap of each namespace up to date: one key for each App of which something is
 * deployed, until the App is gone. What the Apps of a namespace have to say is gathered for a while
 * and written at once, so the more they are, the fewer writes there are for each.
 *
 * <p>Nothing of it needs to survive the process: what was not written is seen as a difference by
 * the next one, and a key whose App went meanwhile as a stray.
 */
public final class MetadataMirror implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MetadataMirror.class);
  private static final Duration SWEEP = Duration.ofMinutes(1);
  private static final int DOUBLINGS = 6;
  private static final String NONE = "";

  private final PublishedMetadata shown;
  private final MetadataWriter writer;
  private final Gathering gathering;
  private final Map<String, Page> pages = new HashMap<>();

  /**
   * By namespace what was written last and not yet seen: a digest for each key, none if it went.
   */
  private final Map<String, Map<String, String>> unseen = new HashMap<>();

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("metadata").factory());

  /**
   * How long differences are gathered.
   *
   * @param idle while no change of the App runs
   * @param changing while one runs: pods come and go all the time
   */
  public record Gathering(Duration idle, Duration changing) {
    public static final Gathering DEFAULT =
        new Gathering(Duration.ofSeconds(1), Duration.ofSeconds(5));

    Duration of(boolean isChanging) {
      return isChanging ? changing : idle;
    }

    /** Doubled with each failure. */
    Duration after(int failures) {
      return idle.multipliedBy(1L << Math.min(failures, DOUBLINGS));
    }
  }

  /** What is to be written in one namespace; the latest text for each App counts. */
  private static final class Page {
    final Map<String, Optional<String>> wanted = new LinkedHashMap<>();
    final int failures;
    long due = Long.MAX_VALUE;

    Page(int failures) {
      this.failures = failures;
    }
  }

  public MetadataMirror(PublishedMetadata shown, MetadataWriter writer, Gathering gathering) {
    this.shown = shown;
    this.writer = writer;
    this.gathering = gathering;
  }

  /** Begins to look for strays: once all Apps have been read. */
  public void start() {
    timer.scheduleWithFixedDelay(
        this::sweep, SWEEP.toSeconds(), SWEEP.toSeconds(), TimeUnit.SECONDS);
  }

  /** Has the App's key written, if it does not say what is seen. */
  public void mirror(AppObservation seen) {
    var app = ResourceID.fromResource(seen.app());
    var isUnknown = shown.digest(app).isEmpty();
    if (seen.groups().isEmpty() || (isUnknown && seen.app().isMarkedForDeletion())) {
      return;
    }
    var text = AppMetadata.of(seen.app(), seen.components(), seen.groups()).text();
    want(app, Optional.of(text), gathering.of(seen.isChanging()));
  }

  /** The App is gone, and so is its key to be. */
  public void forget(ResourceID app) {
    want(app, Optional.empty(), gathering.idle());
  }

  /** Whether somebody else has written a ConfigMap; what was written here is taken for seen. */
  synchronized boolean isNews(ConfigMap now, ConfigMap before) {
    var own = unseen.getOrDefault(now.getMetadata().getNamespace(), new HashMap<>());
    Map<String, String> was = before.getData() == null ? Map.of() : before.getData();
    Set<String> keys = new HashSet<>(was.keySet());
    keys.addAll(now.getData().keySet());
    var isNews = false;
    for (String key : keys) {
      var is = now.getData().getOrDefault(key, NONE);
      if (!is.equals(was.getOrDefault(key, NONE))) {
        isNews |= !is.equals(own.remove(key));
      }
    }
    return isNews;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  private void sweep() {
    takeForSeen();
    shown.strays().forEach(this::forget);
  }

  /** Also what was there before it was written, of which nothing is seen. */
  private synchronized void takeForSeen() {
    unseen.clear();
  }

  private void want(ResourceID app, Optional<String> text, Duration within) {
    want(app, text, within, shown.digest(app).orElse(NONE));
  }

  private synchronized void want(
      ResourceID app, Optional<String> text, Duration within, String present) {
    var namespace = app.getNamespace().orElseThrow();
    var page = pages.get(namespace);
    var written = unseen.getOrDefault(namespace, Map.of()).get(app.getName());
    if (digest(text).equals(written == null ? present : written)) {
      if (page != null) {
        page.wanted.remove(app.getName());
      }
      return;
    }
    if (page == null) {
      page = new Page(0);
      pages.put(namespace, page);
    }
    page.wanted.put(app.getName(), text);
    writeWithin(namespace, page, within);
  }

  /** Sooner than said so far, if so; a page that could not be written has its own time. */
  private void writeWithin(String namespace, Page page, Duration within) {
    var due = System.nanoTime() + within.toNanos();
    if (page.due == Long.MAX_VALUE || (page.failures == 0 && due - page.due < 0)) {
      page.due = due;
      timer.schedule(() -> write(namespace, page, due), within.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void write(String namespace, Page page, long due) {
    var keys = taken(namespace, page, due);
    if (keys.isEmpty()) {
      return;
    }
    try {
      complain(namespace, writer.write(namespace, keys));
    } catch (KubernetesClientException e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("namespace", namespace)
          .log("the metadata of {} Apps could not be written, to be tried again", keys.size());
      tryAgain(namespace, keys, page.failures + 1);
    }
  }

  /** What is to be written now: not what a sooner time has written, or was undone meanwhile. */
  private synchronized Map<String, Optional<String>> taken(String namespace, Page page, long due) {
    if (page.due != due || !pages.remove(namespace, page)) {
      return Map.of();
    }
    page.wanted.forEach(
        (app, text) ->
            unseen.computeIfAbsent(namespace, any -> new HashMap<>()).put(app, digest(text)));
    return page.wanted;
  }

  private synchronized void tryAgain(
      String namespace, Map<String, Optional<String>> keys, int failures) {
    unseen.remove(namespace);
    var page = new Page(failures);
    page.wanted.putAll(keys);
    var newer = pages.put(namespace, page);
    if (newer != null) {
      page.wanted.putAll(newer.wanted);
    }
    writeWithin(namespace, page, gathering.after(failures));
  }

  /** The same text is not tried again before it has been taken for seen. */
  private static void complain(String namespace, Set<String> refused) {
    if (!refused.isEmpty()) {
      LOG.atWarn()
          .addKeyValue("namespace", namespace)
          .log(
              "the ConfigMap is full: no room for the metadata of {}; spread the Apps over more"
                  + " namespaces",
              refused);
    }
  }

  private static String digest(Optional<String> text) {
    return text.map(MetadataCacheTransform::digest).orElse(NONE);
  }
}
