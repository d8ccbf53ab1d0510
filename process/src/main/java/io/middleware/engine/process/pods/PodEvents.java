package io.middleware.engine.process.pods;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What events say of pods that are not ready or missing, as last read. Callers never wait: an
 * answer is read in the background, first after a moment, in which most pods get ready, and then
 * with growing pauses while somebody asks.
 */
public final class PodEvents implements PodReports, AutoCloseable {
  /** Most pods are ready, or have told why not, sooner. */
  private static final Duration FIRST = Duration.ofSeconds(2);

  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** Then its pod may be gone; whoever still asks begins anew. */
  private static final Duration KEPT = Duration.ofHours(1);

  private static final int AT_ONCE = 4;

  private final ObjectEvents events;
  private final Consumer<HasMetadata> changed;
  private final Duration first;
  private final Semaphore places = new Semaphore(AT_ONCE);
  private final Executor readers =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("events-", 0).factory());
  private final Cache<String, Known> known =
      CacheBuilder.newBuilder().expireAfterWrite(KEPT).build();
  private volatile boolean closed;

  /**
   * @param changed receives the pod, or its controller, of which something else is said
   */
  public PodEvents(ObjectEvents events, Consumer<HasMetadata> changed) {
    this(events, changed, FIRST);
  }

  PodEvents(ObjectEvents events, Consumer<HasMetadata> changed, Duration first) {
    this.events = events;
    this.changed = changed;
    this.first = first;
  }

  private static final class Known {
    volatile Supplier<Optional<String>> question;
    volatile Optional<String> text = Optional.empty();
    volatile Duration pause;
  }

  @Override
  public Optional<String> of(Pod pod) {
    var trouble = new PodTrouble(pod, Optional.empty());
    var key = pod.getMetadata().getUid();
    if (key == null) {
      return Optional.empty();
    }
    forgetRefusals(pod);
    if (!trouble.needsEvent()) {
      known.invalidate(key);
      return Optional.empty();
    }
    return text(key, pod, () -> events.of(trouble));
  }

  @Override
  public Optional<String> refusedCreation(HasMetadata controller, String pod) {
    return text(
        creation(controller.getMetadata().getUid(), pod),
        controller,
        () -> events.refusedCreation(controller, Optional.of(pod)));
  }

  /** It exists: why it could not be created is over, and is asked anew when it is missing. */
  private void forgetRefusals(Pod pod) {
    for (var owner : pod.getMetadata().getOwnerReferences()) {
      known.invalidate(creation(owner.getUid(), pod.getMetadata().getName()));
    }
  }

  private static String creation(String controller, String pod) {
    return controller + "/" + pod;
  }

  private Optional<String> text(
      String key, HasMetadata about, Supplier<Optional<String>> question) {
    var entry = known.getIfPresent(key);
    if (entry == null) {
      entry = new Known();
      entry.pause = first;
      entry.question = question;
      var other = known.asMap().putIfAbsent(key, entry);
      if (other != null) {
        return other.text;
      }
      readLater(key, entry, about);
    }
    entry.question = question;
    return entry.text;
  }

  private void readLater(String key, Known entry, HasMetadata about) {
    CompletableFuture.runAsync(
        () -> read(key, entry, about),
        CompletableFuture.delayedExecutor(entry.pause.toMillis(), TimeUnit.MILLISECONDS, readers));
  }

  private void read(String key, Known entry, HasMetadata about) {
    if (closed || known.getIfPresent(key) != entry) {
      return;
    }
    places.acquireUninterruptibly();
    Optional<String> text;
    try {
      text = entry.question.get();
    } finally {
      places.release();
    }
    var differs = !text.equals(entry.text);
    entry.text = text;
    entry.pause = shorter(entry.pause.multipliedBy(2), LONGEST);
    if (differs) {
      changed.accept(about);
    }
    readLater(key, entry, about);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  @Override
  public void close() {
    closed = true;
  }
}
