package io.middleware.engine.agent.replication;

import java.util.Collection;
import java.util.Optional;

/**
 * The primary of a group, elected again from all members whenever a member changes. The first rule
 * that applies decides. A primary is <em>established</em> when it has been ready as primary.
 *
 * <ol>
 *   <li>A ready member with a promotion becomes primary; among several, the lowest number.
 *   <li>An established primary stays primary while it is ready.
 *   <li>The ready member with the lowest number replaces an established primary; the old primary
 *       returns as a replica.
 *   <li>Without a ready member, an established primary that still exists stays primary.
 *   <li>Without an established primary, the oldest member that is ready or starting becomes
 *       primary; among equals, the lowest number. So a new group begins with its lowest number, and
 *       a restarted process finds the previous primary: by rule 3 that pod is older than the
 *       replaced ones.
 * </ol>
 *
 * Invariant: at most one primary; exactly one while any member is ready.
 */
public record PrimaryElection(Optional<GroupMember> primary, boolean established) {
  public static final PrimaryElection NONE = new PrimaryElection(Optional.empty(), false);

  public PrimaryElection after(Collection<GroupMember> members) {
    return promoted(members).orElseGet(() -> established ? keepOrReplace(members) : first(members));
  }

  /**
   * The election after the primary switches over; empty when no other member is ready.
   *
   * @param successor name of the only pod that may take over; empty for any
   */
  public Optional<PrimaryElection> switchedOver(
      Collection<GroupMember> members, Optional<String> successor) {
    return ready(
            members.stream()
                .filter(member -> !isPrimary(member.uid()))
                .filter(member -> successor.filter(pod -> !pod.equals(member.pod())).isEmpty())
                .toList())
        .map(member -> new PrimaryElection(Optional.of(member), true));
  }

  public boolean isPrimary(String uid) {
    return primary.filter(member -> member.uid().equals(uid)).isPresent();
  }

  private static Optional<PrimaryElection> promoted(Collection<GroupMember> members) {
    return ready(members.stream().filter(GroupMember::promoted).toList())
        .map(member -> new PrimaryElection(Optional.of(member), true));
  }

  private PrimaryElection keepOrReplace(Collection<GroupMember> members) {
    var incumbent = members.stream().filter(member -> isPrimary(member.uid())).findFirst();
    return incumbent
        .filter(GroupMember::isReady)
        .or(() -> ready(members))
        .or(() -> incumbent)
        .map(member -> new PrimaryElection(Optional.of(member), true))
        .orElseGet(() -> first(members));
  }

  private static Optional<GroupMember> ready(Collection<GroupMember> members) {
    return members.stream().filter(GroupMember::isReady).min(GroupMember.BY_NUMBER);
  }

  private static PrimaryElection first(Collection<GroupMember> members) {
    return members.stream()
        .filter(GroupMember::isEligible)
        .min(GroupMember.BY_AGE)
        .map(member -> new PrimaryElection(Optional.of(member), member.isReady()))
        .orElse(NONE);
  }
}
