package io.middleware.engine.agent.replication;

import java.util.Collection;
import java.util.Optional;

/**
 * Who is primary, decided again from all members whenever one of them changes.
 *
 * <ol>
 *   <li>A ready member that is promoted takes over, the lowest number among several.
 *   <li>Else an established primary (it has been ready as such) stays while it is ready.
 *   <li>Else the ready member of the lowest number takes over; the old one comes back as a replica.
 *   <li>Else, nobody being ready, an established primary that still exists stays.
 *   <li>Without an established primary the oldest member that is ready or starting is chosen, the
 *       lowest number among equals. So a new group begins with its lowest number; and an agent that
 *       starts anew finds the primary of before: who took over was, by rule 3, not restarted since.
 * </ol>
 *
 * Invariant: at most one primary; exactly one while a member is ready.
 */
public record PrimaryElection(Optional<GroupMember> primary, boolean established) {
  public static final PrimaryElection NONE = new PrimaryElection(Optional.empty(), false);

  public PrimaryElection after(Collection<GroupMember> members) {
    return promoted(members)
        .orElseGet(() -> established ? keepOrTakeOver(members) : first(members));
  }

  /** After the primary has stepped down; empty when no other member is ready. */
  public Optional<PrimaryElection> switchedOver(Collection<GroupMember> members) {
    return ready(members.stream().filter(member -> !isPrimary(member.uid())).toList())
        .map(member -> new PrimaryElection(Optional.of(member), true));
  }

  public boolean isPrimary(String uid) {
    return primary.filter(member -> member.uid().equals(uid)).isPresent();
  }

  private static Optional<PrimaryElection> promoted(Collection<GroupMember> members) {
    return ready(members.stream().filter(GroupMember::promoted).toList())
        .map(member -> new PrimaryElection(Optional.of(member), true));
  }

  private PrimaryElection keepOrTakeOver(Collection<GroupMember> members) {
    var incumbent = members.stream().filter(member -> isPrimary(member.uid())).findFirst();
    return incumbent
        .filter(GroupMember::ready)
        .or(() -> ready(members))
        .or(() -> incumbent)
        .map(member -> new PrimaryElection(Optional.of(member), true))
        .orElseGet(() -> first(members));
  }

  private static Optional<GroupMember> ready(Collection<GroupMember> members) {
    return members.stream().filter(GroupMember::ready).min(GroupMember.BY_NUMBER);
  }

  private static PrimaryElection first(Collection<GroupMember> members) {
    return members.stream()
        .filter(GroupMember::eligible)
        .min(GroupMember.BY_AGE)
        .map(member -> new PrimaryElection(Optional.of(member), member.ready()))
        .orElse(NONE);
  }
}
