package io.middleware.engine.agent.redis;

/** What one pod does next for its group to have one primary that the others follow. */
sealed interface Step {
  /** All is as it should be. */
  record Stay() implements Step {}

  record Follow(Peer primary) implements Step {}

  record Promote() implements Step {}

  /** Nothing can be done yet. */
  record Await(String what) implements Step {}
}
