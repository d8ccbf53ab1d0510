package io.middleware.engine.watcher.change;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts signals and failed calls, and says once when runs are away and when they are back. */
public final class MeteredChangeRuns implements ChangeRuns {
  private static final Logger LOG = LoggerFactory.getLogger(MeteredChangeRuns.class);

  private final ChangeRuns runs;
  private final MeterRegistry registry;
  private final AtomicBoolean away = new AtomicBoolean();

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

  private void count(ChangeSignal told) {
    var cause = told.cause().name().toLowerCase(Locale.ROOT);
    registry.counter("middleware.changes.signalled", "cause", cause).increment();
  }

  @Override
  public RequestAnswer ask(String namespace, String app, String id, ControlRequest control) {
    return counted(() -> runs.ask(namespace, app, id, control));
  }

  @Override
  public boolean start(ChangeSignal wish) {
    var started = counted(() -> runs.start(wish));
    if (started) {
      count(wish);
    }
    return started;
  }

  @Override
  public boolean isOpen(String namespace, String app) {
    return counted(() -> runs.isOpen(namespace, app));
  }

  private <T> T counted(Supplier<T> call) {
    try {
      var answer = call.get();
      if (away.compareAndSet(true, false)) {
        LOG.info("Temporal answers again");
      }
      return answer;
    } catch (TemporalUnavailableException e) {
      registry.counter("middleware.signals.failed").increment();
      if (away.compareAndSet(false, true)) {
        LOG.atWarn()
            .addKeyValue("reason", e.getMessage())
            .log("Temporal does not answer: changes wait");
      }
      throw e;
    }
  }
}
