package io.middleware.engine.activities.pods;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/**
 * Measures the time between two pods of a group, from the end of one step to the start of the next
 * on this worker: {@code middleware_step_overhead_seconds}.
 */
final class StepOverhead {
  private static final Duration KEPT = Duration.ofMinutes(10);

  private final Cache<String, Long> ended =
      CacheBuilder.newBuilder().expireAfterWrite(KEPT).build();
  private final Timer timer;

  StepOverhead(MeterRegistry registry) {
    this.timer =
        Timer.builder("middleware.step.overhead").publishPercentileHistogram().register(registry);
  }

  void begin(String group) {
    var before = ended.getIfPresent(group);
    if (before != null) {
      timer.record(Duration.ofNanos(System.nanoTime() - before));
    }
  }

  void end(String group) {
    ended.put(group, System.nanoTime());
  }
}
