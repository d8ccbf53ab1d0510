package io.middleware.engine.watcher.request;

import java.util.Optional;

/** The requests of a kind on the API server. */
public interface RequestObjects<T> {

  /** This request as it is now, not a later one of its name; empty when it is gone. */
  Optional<T> live(T seen);

  /**
   * Writes the status of a request, unless the request has changed: it is looked at again.
   *
   * @return whether it was written
   */
  boolean writeStatus(T live);

  /** Deletes this request, and no later one of its name. */
  void delete(T seen);
}
