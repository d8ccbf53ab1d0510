package io.middleware.engine.watcher.change;

import java.util.ArrayList;
import java.util.List;

/** Runs that only remember what they were told. */
final class FakeRuns implements Runs {
  final List<Signal> signals = new ArrayList<>();
  boolean open;
  boolean away;
  int looks;

  @Override
  public void signal(Signal signal) {
    answer();
    signals.add(signal);
    open = true;
  }

  @Override
  public boolean isOpen(String namespace, String app) {
    answer();
    looks++;
    return open;
  }

  private void answer() {
    if (away) {
      throw new RunsAwayException("away", null);
    }
  }
}
