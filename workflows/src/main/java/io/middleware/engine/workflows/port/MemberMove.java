package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A group whose pods are members of a cluster has another number of them than it is to have: this
 * one joins or leaves next, and no other one before that is done. Nothing is written yet.
 *
 * @param pod its name
 * @param members how many there are afterwards
 * @param target how many there are to be in the end
 * @param drain what is done to a pod that leaves before; empty when there is nothing to do
 */
@JsonTypeName("memberMove")
public record MemberMove(
    Direction direction, String pod, int members, int target, Optional<DrainFirst> drain)
    implements GroupWrite {
  public MemberMove {
    requireNonNull(direction, "direction");
    requireNonNull(pod, "pod");
  }

  /** Whether a member comes or goes. */
  public enum Direction {
    JOIN,
    LEAVE
  }

  /**
   * Those that the move waits for, since they are not ready: all, before a pod joins. Before one
   * leaves, all that stay; and those that leave after it, unless more than half of the others are
   * ready. One that is broken itself leaves at once, if another one can be told: without it, no
   * more of the others are needed.
   *
   * @param names of the members, in order
   * @param ready the names of those that are ready
   */
  public List<String> awaited(List<String> names, Set<String> ready) {
    var others = names.stream().filter(name -> !name.equals(pod)).toList();
    var missing = others.stream().filter(name -> !ready.contains(name)).toList();
    if (direction == Direction.JOIN || missing.size() == others.size()) {
      return missing;
    }
    if (!ready.contains(pod)) {
      return List.of();
    }
    var most = 2 * missing.size() < others.size();
    return missing.stream().filter(name -> !most || names.indexOf(name) < target).toList();
  }

  /** For people: {@code member 4 of 5} joins, and one leaves on the way {@code 5 → 4 of 3}. */
  public String position() {
    return switch (direction) {
      case JOIN -> "member %d of %d".formatted(members, target);
      case LEAVE -> "%d members remain, on the way to %d".formatted(members, target);
    };
  }
}
