package io.middleware.engine.watcher.endpoints;

import io.middleware.engine.api.Role;
import java.util.List;
import java.util.Optional;

/**
 * Which pod an endpoint of the primary leads to: one, or none.
 *
 * <ol>
 *   <li>A claim is a ready pod that says now that it is the primary. Of several, the one with the
 *       greatest term is the newest, and is served.
 *   <li>No claim is served whose term is older than one that was served, or than one that another
 *       pod knows of: a primary that was silent comes back with its old claim.
 *   <li>Between claims of one term, or where a claim has none, nothing decides. The pod that is
 *       served stays if it is one of them, and otherwise none is served: what is written to the
 *       wrong one is lost.
 *   <li>A pod that is served and is only silent stays while it is ready and nobody has a newer
 *       claim: the silence may be the agent's alone.
 *   <li>When all pods of the group speak, and none knows of a term as new as the one that was
 *       served, then the group has begun anew, and so have its terms. The same is assumed as soon
 *       as it has no pod at all: nobody is left with an old claim.
 *   <li>When all pods of the group speak and one of them claims, it is served also without a term:
 *       its agent is of an earlier version.
 * </ol>
 *
 * @param members the ready pods of the group
 * @param desired how many pods the group should have
 * @param present how many it has, ready or not
 */
record PrimaryChoice(List<Member> members, int desired, int present) {

  /** What is served, and the newest term that was. */
  record Served(Optional<String> uid, long term) {
    static final Served NOTHING = new Served(Optional.empty(), 0);
  }

  /** What follows on what was served before. */
  Served after(Served before) {
    if (present == 0) {
      return Served.NOTHING;
    }
    var known = members.stream().filter(Member::heard).mapToLong(Member::term).max().orElse(0);
    var served = hasBegunAnew(before, known) ? 0 : before.term();
    var claims = members.stream().filter(Member::heard).filter(PrimaryChoice::isPrimary).toList();
    var chosen = chosen(claims, before, Math.max(known, served));
    if (chosen.isPresent()) {
      return new Served(chosen.map(Member::uid), Math.max(served, chosen.get().term()));
    }
    return new Served(silent(claims, before, known), before.term());
  }

  private Optional<Member> chosen(List<Member> claims, Served before, long newest) {
    if (claims.size() == 1 && claims.getFirst().term() == 0 && isUndecided(claims, before)) {
      return Optional.of(claims.getFirst());
    }
    var greatest = claims.stream().mapToLong(Member::term).max().orElse(0);
    if (greatest < newest) {
      return Optional.empty();
    }
    var isUnknown = claims.stream().anyMatch(claim -> claim.term() == 0);
    var equal = claims.stream().filter(it -> isUnknown || it.term() == greatest).toList();
    return equal.size() == 1
        ? Optional.of(equal.getFirst())
        : equal.stream().filter(claim -> isServed(claim, before)).findFirst();
  }

  /**
   * Agents without terms decide alone, as long as none with a term was served that may be silent.
   */
  private boolean isUndecided(List<Member> claims, Served before) {
    return before.term() == 0 || isServed(claims.getFirst(), before) || allSpeak();
  }

  private Optional<String> silent(List<Member> claims, Served before, long known) {
    var isNewest =
        before.term() >= known && claims.stream().allMatch(it -> it.term() < before.term());
    return members.stream()
        .filter(member -> isNewest && !member.heard() && isServed(member, before))
        .filter(member -> member.role().isEmpty() || isPrimary(member))
        .map(Member::uid)
        .findFirst();
  }

  private boolean hasBegunAnew(Served before, long known) {
    return known < before.term() && allSpeak();
  }

  private boolean allSpeak() {
    return members.size() >= desired && members.stream().allMatch(Member::heard);
  }

  private static boolean isServed(Member member, Served before) {
    return before.uid().filter(member.uid()::equals).isPresent();
  }

  private static boolean isPrimary(Member member) {
    return member.role().equals(Role.PRIMARY);
  }
}
