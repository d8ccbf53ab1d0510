package io.middleware.engine.watcher.testing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.watcher.testing.TestDecision.End;

/** A kind of test: where its objects say how far they are. */
interface TestKind<T extends HasMetadata> {

  Class<T> type();

  TestProgress progress(T test);

  /**
   * Puts into the status of one that has not begun what it waits for.
   *
   * @return whether it was not there already
   */
  boolean putWaiting(T test, String phase, String why);

  /**
   * Puts into the status of one that has begun what it waits for.
   *
   * @return whether it was not there already
   */
  boolean putMessage(T test, String why);

  /**
   * Puts its end into the status.
   *
   * @param at in RFC 3339
   */
  void putEnd(T test, End end, String at);
}
