package io.middleware.engine.watcher.change;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs that only remember what they were told and asked. */
public final class FakeChangeRuns implements ChangeRuns {
  public final List<ChangeSignal> signals = new ArrayList<>();

  /** What was asked, by the id of the request. */
  public final Map<String, ControlRequest> requests = new HashMap<>();

  public RequestAnswer answer = new RequestAnswer.Accepted("as you wish");
  public boolean open;
  public boolean away;
  int looks;

  @Override
  public void signal(ChangeSignal signal) {
    answer();
    signals.add(signal);
    open = true;
  }

  @Override
  public RequestAnswer ask(String namespace, String app, String id, ControlRequest control) {
    answer();
    if (!open) {
      return new RequestAnswer.NoRun();
    }
    requests.put(id, control);
    return answer;
  }

  @Override
  public boolean start(ChangeSignal wish) {
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
      throw new TemporalUnavailableException("away", null);
    }
  }
}
