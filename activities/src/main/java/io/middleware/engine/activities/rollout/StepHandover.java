package io.middleware.engine.activities.rollout;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.middleware.engine.process.EngineMetric;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * From one pod of a group to the next, on this worker. When a pod is ready, its own step and the
 * one that waits for it both see that. The step that ends lets the other act first: its end is work
 * for Temporal and the workflow, and the next eviction would compete with it.
 *
 * <p>Measures the time from a pod's readiness to the next eviction: {@code
 * middleware_step_overhead_seconds}.
 */
final class StepHandover {
  /** Usually the next step acts within 20 ms. Nothing waits for the end of this one. */
  private static final Duration LONGEST = Duration.ofMillis(50);

  private static final Duration KEPT = Duration.ofMinutes(10);

  private final Map<String, CountDownLatch> waiting = new ConcurrentHashMap<>();
  private final Cache<String, Long> readySince =
      CacheBuilder.newBuilder().expireAfterWrite(KEPT).build();
  private final Timer overhead;

  StepHandover(MeterRegistry registry) {
    this.overhead = EngineMetric.STEP_OVERHEAD.timer(registry);
  }

  /**
   * @param group id of the group whose pod it replaces
   */
  Step of(String group) {
    return new Step(group);
  }

  /** A step that replaces a pod; closed when it ends, however it ends. */
  final class Step implements AutoCloseable {
    private final String group;
    private final CountDownLatch acted = new CountDownLatch(1);

    private Step(String group) {
      this.group = group;
    }

    /** The pod before this step's is not ready yet. */
    void awaitsTurn() {
      waiting.put(group, acted);
    }

    /** The pod before this step's is ready. */
    void hasTurn() {
      readySince.put(group, System.nanoTime());
    }

    /** The pod is about to be evicted. */
    void evicts() {
      var since = readySince.asMap().remove(group);
      if (since != null) {
        overhead.record(Duration.ofNanos(System.nanoTime() - since));
      }
    }

    /** The pod has been evicted, or the API server has refused. */
    void acted() {
      acted.countDown();
      waiting.remove(group, acted);
    }

    /** The pod is replaced: returns when the next step has acted, or after a moment. */
    void replaced() {
      readySince.put(group, System.nanoTime());
      var next = waiting.get(group);
      if (next != null && next != acted) {
        try {
          next.await(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void close() {
      acted();
    }
  }
}
