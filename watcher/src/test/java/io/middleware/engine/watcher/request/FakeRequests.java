package io.middleware.engine.watcher.request;

import java.util.Optional;

/** One request on the API server. */
public final class FakeRequests<T> implements RequestObjects<T> {
  public T live;
  public int reads;
  public int writes;
  public boolean deleted;

  /** Whether somebody else writes it first. */
  public boolean stale;

  public FakeRequests() {}

  public FakeRequests(T live) {
    this.live = live;
  }

  @Override
  public Optional<T> live(T seen) {
    reads++;
    return Optional.of(live);
  }

  @Override
  public boolean writeStatus(T now) {
    if (!stale) {
      writes++;
    }
    return !stale;
  }

  @Override
  public void delete(T seen) {
    deleted = true;
  }
}
