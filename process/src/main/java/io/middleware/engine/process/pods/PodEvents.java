package io.middleware.engine.process.pods;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.Ordering;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What events say of pods that are not ready or missing, as last read. Callers never wait: an
 * answer is read in the background, first after a moment, in which most pods get ready, and then
 * with growing pauses, which begin anew when the pod or its controller changes. The pauses stay
 * short while few pods are in trouble, and their number bounds the calls.
 */
public final class PodEvents implements PodReports, AutoCloseable {
  /** Most pods are ready, or have told why not, sooner. */
  private static final Duration FIRST = Duration.ofSeconds(2);

  /** While few pods are in trouble: people see within 10 s what is said late. */
  private static final Duration SHORT = Duration.ofSeconds(8);

  /** So long for each pod in trouble: up to 400 of them cost about three calls a second. */
  private static final Duration FOR_EACH = Duration.ofMillis(300);

  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** After somebody has asked: a pod that is gone is not asked for any more. */
  private static final Duration KEPT = Duration.ofMinutes(10);

  /** Then those who ask are woken, lest a pod that is still in trouble is forgotten. */
  private static final Duration ASKED_AGAIN = KEPT.dividedBy(2);

  private static final int AT_ONCE = 4;
  private static final Logger LOG = LoggerFactory.getLogger(PodEvents.class);

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

  /** What is known of an object of this version. */
  private static final class Known {
    private final String version;
    private final AtomicBoolean begun = new AtomicBoolean();
    volatile long asked;
    volatile boolean read;
    volatile Supplier<Optional<String>> question;
    volatile Optional<String> text;
    volatile Duration pause;

    Known(String version, Duration pause, Optional<String> text) {
      this.version = version;
      this.pause = pause;
      this.text = text;
    }

    /** True for the first caller alone. */
    boolean begin() {
      return begun.compareAndSet(false, true);
    }

    /** Whether it was read of an earlier version. */
    boolean isOutdated(String now) {
      return read && !Objects.equals(version, now);
    }
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
    var version = about.getMetadata().getResourceVersion();
    var entry = known.asMap().compute(key, (unused, before) -> known(before, version));
    entry.question = question;
    entry.asked = System.nanoTime();
    if (entry.begin()) {
      readLater(key, entry, about);
    }
    return entry.text;
  }

  private Known known(Known before, String version) {
    if (before == null) {
      return new Known(version, first, Optional.empty());
    }
    return before.isOutdated(version) ? new Known(version, first, before.text) : before;
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
    try {
      var text = text(entry);
      var differs = !text.equals(entry.text);
      entry.text = text;
      if (differs || System.nanoTime() - entry.asked > ASKED_AGAIN.toNanos()) {
        changed.accept(about);
      }
    } catch (RuntimeException e) {
      LOG.warn("read events of {}", key, e); // the next read may go well
    }
    entry.read = true;
    entry.pause = next(entry.pause, known.size());
    readLater(key, entry, about);
  }

  private Optional<String> text(Known entry) {
    places.acquireUninterruptibly();
    try {
      return entry.question.get();
    } finally {
      places.release();
    }
  }

  /**
   * The pause after this one.
   *
   * @param pods how many are in trouble
   */
  static Duration next(Duration pause, long pods) {
    var longest = Ordering.natural().max(SHORT, FOR_EACH.multipliedBy(pods));
    return Ordering.natural().min(pause.multipliedBy(2), longest, LONGEST);
  }

  @Override
  public void close() {
    closed = true;
  }
}
