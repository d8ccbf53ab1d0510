package io.middleware.engine.agent.redis;

/** What a pod does next, so that its group has one primary and the other pods follow it. */
sealed interface MembershipStep {
  /** The pod already is what it should be. */
  record Stay() implements MembershipStep {}

  record Follow(RedisPeer primary) implements MembershipStep {}

  /** Two pods are primary, and the other one is the rightful one. */
  record Yield(RedisPeer primary) implements MembershipStep {}

  /** Follow nobody, because another Redis is, or may come, where the primary was. */
  record Detach(String why) implements MembershipStep {}

  record Promote() implements MembershipStep {}

  /** The pod can do nothing yet. */
  record Await(String what) implements MembershipStep {}
}
