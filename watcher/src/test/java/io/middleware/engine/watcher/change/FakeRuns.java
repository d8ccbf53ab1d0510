package io.middleware.engine.watcher.change;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs that only remember what they were told and asked. */
public final class FakeRuns implements Runs {
  public final List<Signal> signals = new ArrayList<>();

  /** What was asked, by the id of the request. */
  public final Map<String, Control> requests = new HashMap<>();

  public Answer answer = new Answer.Accepted("as you wish");
  public boolean open;
  public boolean away;
  int looks;

  @Override
  public void signal(Signal signal) {
    answer();
    signals.add(signal);
    open = true;
  }

  @Override
  public Answer ask(String namespace, String app, String id, Control control) {
    answer();
    if (!open) {
      return new Answer.NoRun();
    }
    requests.put(id, control);
    return answer;
  }

  @Override
  public boolean start(Signal wish) {
    if (open) {
      return false;
    }
    signal(wish);
    return true;
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
