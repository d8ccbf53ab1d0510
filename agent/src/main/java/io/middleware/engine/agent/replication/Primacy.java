package io.middleware.engine.agent.replication;

import java.util.Collection;
import java.util.Optional;

/**
 * Who is primary, decided again from all members whenever one of them changes.
 *
 * <ol>
 *   <li>An established primary (it has been ready as such) stays while it is ready.
 *   <li>Else the ready member of the lowest number takes over; the old one comes back as a replica.
 *   <li>Else, nobody being ready, an established primary that still exists stays.
 *   <li>Without an established primary the oldest member that is ready or starting is chosen, the
 *       lowest number among equals. So a new group begins with its lowest number; and an agent that
 *       starts anew finds the primary of before: who took over was, by rule 2, not restarted since.
 * </ol>
 *
 * Invariant: at most one primary; exactly one while a member is ready.
 */
public record Primacy(Optional<Member> primary, boolean established) {
  public static final Primacy NONE = new Primacy(Optional.empty(), false);

  public Primacy after(Collection<Member> members) {
    return established ? keepOrTakeOver(members) : first(members);
  }

  public boolean isPrimary(String uid) {
    return primary.filter(member -> member.uid().equals(uid)).isPresent();
  }

  private Primacy keepOrTakeOver(Collection<Member> members) {
    var incumbent = members.stream().filter(member -> isPrimary(member.uid())).findFirst();
    return incumbent
        .filter(Member::ready)
        .or(() -> ready(members))
        .or(() -> incumbent)
        .map(member -> new Primacy(Optional.of(member), true))
        .orElseGet(() -> first(members));
  }

  private static Optional<Member> ready(Collection<Member> members) {
    return members.stream().filter(Member::ready).min(Member.BY_NUMBER);
  }

  private static Primacy first(Collection<Member> members) {
    return members.stream()
        .filter(Member::eligible)
        .min(Member.BY_AGE)
        .map(member -> new Primacy(Optional.of(member), member.ready()))
        .orElse(NONE);
  }
}
