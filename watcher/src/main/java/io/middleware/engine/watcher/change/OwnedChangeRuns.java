package io.middleware.engine.watcher.change;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Asks nothing of Temporal before it is known that the runs there are those of this cluster. */
public final class OwnedChangeRuns implements ChangeRuns {
  private final ChangeRuns runs;
  private final BooleanSupplier own;

  public OwnedChangeRuns(ChangeRuns runs, BooleanSupplier own) {
    this.runs = runs;
    this.own = own;
  }

  @Override
  public void signal(ChangeSignal signal) {
    owned().signal(signal);
  }

  @Override
  public RequestAnswer request(String namespace, String app, String id, ControlRequest control) {
    return owned().request(namespace, app, id, control);
  }

  @Override
  public boolean start(ChangeSignal change) {
    return owned().start(change);
  }

  @Override
  public Optional<OpenRun> openRun(String namespace, String app) {
    return owned().openRun(namespace, app);
  }

  private ChangeRuns owned() {
    if (!own.getAsBoolean()) {
      throw new TemporalUnavailableException(
          "not yet known whether another cluster has this cluster's name", null);
    }
    return runs;
  }
}
