package io.middleware.engine.watcher.change;

import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.process.EngineMetric;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts signals and failed calls, and logs once when Temporal stops answering and when it answers
 * again.
 */
public final class MeteredChangeRuns implements ChangeRuns {
  private static final Logger LOG = LoggerFactory.getLogger(MeteredChangeRuns.class);

  private final ChangeRuns runs;
  private final MeterRegistry registry;
  private final AtomicBoolean unavailable = new AtomicBoolean();

  public MeteredChangeRuns(ChangeRuns runs, MeterRegistry registry) {
    this.runs = runs;
    this.registry = registry;
  }

  @Override
  public void signal(ChangeSignal signal) {
    counted(
        () -> {
          runs.signal(signal);
          return signal;
        });
    count(signal);
  }

  private void count(ChangeSignal signal) {
    var cause = signal.cause().name().toLowerCase(Locale.ROOT);
    EngineMetric.CHANGES_SIGNALLED.counter(registry, cause).increment();
  }

  @Override
  public RequestAnswer request(String namespace, String app, String id, ControlRequest control) {
    return counted(() -> runs.request(namespace, app, id, control));
  }

  @Override
  public boolean start(ChangeSignal change) {
    var started = counted(() -> runs.start(change));
    if (started) {
      count(change);
    }
    return started;
  }

  @Override
  public Optional<OpenRun> openRun(String namespace, String app) {
    return counted(() -> runs.openRun(namespace, app));
  }

  private <T> T counted(Supplier<T> call) {
    try {
      var answer = call.get();
      if (unavailable.compareAndSet(true, false)) {
        LOG.info("Temporal answers again");
      }
      return answer;
    } catch (TemporalUnavailableException e) {
      EngineMetric.SIGNALS_FAILED.counter(registry).increment();
      if (unavailable.compareAndSet(false, true)) {
        LOG.atWarn()
            .addKeyValue("reason", e.getMessage())
            .log("Temporal does not answer; changes wait until it does");
      }
      throw e;
    }
  }
}
