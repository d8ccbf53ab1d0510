package io.middleware.engine.watcher.change;

import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs that only remember what they were told and asked. */
public final class FakeChangeRuns implements ChangeRuns {
  public final List<ChangeSignal> signals = new ArrayList<>();

  /** What was asked, by the id of the request. */
  public final Map<String, ControlRequest> requests = new HashMap<>();

  public RequestAnswer answer = new RequestAnswer.Accepted("as requested");
  public boolean open;
  public String run = "run-1";
  public Optional<String> trouble = Optional.empty();
  public boolean unavailable;
  int checks;

  @Override
  public void signal(ChangeSignal signal) {
    answer();
    signals.add(signal);
    open = true;
  }

  @Override
  public RequestAnswer request(String namespace, String app, String id, ControlRequest control) {
    answer();
    if (!open) {
      return new RequestAnswer.NoRun();
    }
    requests.put(id, control);
    return answer;
  }

  @Override
  public boolean start(ChangeSignal request) {
    if (open) {
      return false;
    }
    signal(request);
    return true;
  }

  @Override
  public Optional<OpenRun> openRun(String namespace, String app) {
    answer();
    checks++;
    return open ? Optional.of(new OpenRun(run, trouble)) : Optional.empty();
  }

  private void answer() {
    if (unavailable) {
      throw new TemporalUnavailableException("unavailable", null);
    }
  }
}
