package io.middleware.engine.agent.redis;

/** What one pod does next for its group to have one primary that the others follow. */
sealed interface MembershipStep {
  /** All is as it should be. */
  record Stay() implements MembershipStep {}

  record Follow(RedisPeer primary) implements MembershipStep {}

  record Promote() implements MembershipStep {}

  /** Nothing can be done yet. */
  record Await(String what) implements MembershipStep {}
}
