package io.middleware.engine.watcher.request;

import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The runs of one request, which only remember what they were told. */
public final class FakeRequestRuns<T> implements RequestRuns<T> {
  public final List<String> told = new ArrayList<>();
  public boolean open;
  public boolean unavailable;

  /** Why the open run has not begun its request. */
  public Optional<String> unbegun = Optional.empty();

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
  public Optional<String> unbegun(T request, Instant since) {
    answer();
    return unbegun;
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
