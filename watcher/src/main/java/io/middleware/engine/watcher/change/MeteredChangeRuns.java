package io.middleware.engine.watcher.change;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.process.EngineMetric;
import io.middleware.engine.watcher.change.ChangeSignal.SignalCause;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
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
  private final Map<SignalCause, Counter> signalled = new EnumMap<>(SignalCause.class);
  private final Counter failed;
  private final AtomicBoolean unavailable = new AtomicBoolean();

  public MeteredChangeRuns(ChangeRuns runs, MeterRegistry registry) {
    this.runs = runs;
    for (var cause : SignalCause.values()) { // 0 before the first
      var label = cause.name().toLowerCase(Locale.ROOT);
      signalled.put(cause, EngineMetric.CHANGES_SIGNALLED.counter(registry, label));
    }
    this.failed = EngineMetric.SIGNALS_FAILED.counter(registry);
  }

  @Override
  public void signal(ChangeSignal signal) {
    counted(
        () -> {
          runs.signal(signal);
          return signal;
        });
    signalled.get(signal.cause()).increment();
  }

  @Override
  public RequestAnswer request(String namespace, String app, String id, ControlRequest control) {
    return counted(() -> runs.request(namespace, app, id, control));
  }

  @Override
  public boolean start(ChangeSignal change) {
    var started = counted(() -> runs.start(change));
    if (started) {
      signalled.get(change.cause()).increment();
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
      failed.increment();
      if (unavailable.compareAndSet(false, true)) {
        LOG.atWarn()
            .addKeyValue("reason", e.getMessage())
            .log("Temporal does not answer; changes wait until it does");
      }
      throw e;
    }
  }
}
