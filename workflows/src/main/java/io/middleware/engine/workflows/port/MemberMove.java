package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Optional;

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

  /** For people: {@code member 4 of 5} joins, and one leaves on the way {@code 5 → 4 of 3}. */
  public String position() {
    return switch (direction) {
      case JOIN -> "member %d of %d".formatted(members, target);
      case LEAVE -> "%d members remain, on the way to %d".formatted(members, target);
    };
  }
}
