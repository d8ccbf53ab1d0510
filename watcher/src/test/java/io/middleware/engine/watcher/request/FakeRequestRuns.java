package io.middleware.engine.watcher.request;

import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.util.ArrayList;
import java.util.List;

/** The runs of one request, which only remember what they were told. */
public final class FakeRequestRuns<T> implements RequestRuns<T> {
  public final List<String> told = new ArrayList<>();
  public boolean open;
  public boolean unavailable;

  @Override
  public boolean start(T request) {
    answer();
    if (open) {
      return false;
    }
    told.add("start");
    open = true;
    return true;
  }

  @Override
  public boolean isOpen(T request) {
    answer();
    return open;
  }

  @Override
  public boolean cancel(T request) {
    answer();
    if (open) {
      told.add("cancel");
    }
    return open;
  }

  private void answer() {
    if (unavailable) {
      throw new TemporalUnavailableException("unavailable", null);
    }
  }
}
