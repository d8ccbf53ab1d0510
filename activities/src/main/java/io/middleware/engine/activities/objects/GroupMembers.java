package io.middleware.engine.activities.objects;

import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.workflows.port.MemberMove.Direction;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The members of a Group whose pods join and leave one at a time. It is kept in an annotation of
 * the Group, because a stopped group has members and no pods, and a move that was cut off is
 * completed or taken back by whoever works on the group next.
 *
 * @param count how many pods the group has been written with last
 * @param moving the pod whose move has begun and is not complete
 */
public record GroupMembers(int count, Optional<Moving> moving) {
  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,9})(?: (joining|leaving) ([a-z0-9.-]+))?");

  /** A pod that joins or leaves. */
  public record Moving(Direction direction, String pod) {}

  /** What the Group says; without that, as many as it has been written with. */
  public static GroupMembers of(Group group) {
    return recorded(group)
        .orElseGet(
            () ->
                new GroupMembers(
                    group.getSpec() == null ? 0 : group.getSpec().members(), Optional.empty()));
  }

  /** What the Group says; empty where its pods do not join and leave, or never have. */
  public static Optional<GroupMembers> recorded(Group group) {
    var annotations = group.getMetadata().getAnnotations();
    var text =
        TEXT.matcher(annotations == null ? "" : annotations.getOrDefault(Labels.MEMBERS, ""));
    if (!text.matches()) {
      return Optional.empty();
    }
    var moving =
        Optional.ofNullable(text.group(2))
            .map(
                verb ->
                    new Moving(
                        verb.equals("joining") ? Direction.JOIN : Direction.LEAVE, text.group(3)));
    return Optional.of(new GroupMembers(Integer.parseInt(text.group(1)), moving));
  }

  /** The names of those of these Groups in which a move has begun and is not complete. */
  static List<String> moving(List<Group> groups) {
    return groups.stream()
        .filter(group -> group.getSpec() != null && of(group).moving().isPresent())
        .map(group -> group.getSpec().group())
        .toList();
  }

  /** The same with another number of pods. */
  public GroupMembers with(int members) {
    return new GroupMembers(members, moving);
  }

  /** The same when the move of a pod begins. */
  public GroupMembers begun(Direction direction, String pod) {
    return new GroupMembers(count, Optional.of(new Moving(direction, pod)));
  }

  /** The same without a move. */
  public GroupMembers settled() {
    return new GroupMembers(count, Optional.empty());
  }

  /** The same when the move of this pod is complete. */
  public GroupMembers completed(String pod) {
    return isMoving(pod) ? settled() : this;
  }

  /** Whether the move of this pod has begun and is not complete. */
  public boolean isMoving(String pod) {
    return moving.filter(it -> it.pod().equals(pod)).isPresent();
  }

  /**
   * Writes it on the Group, unless it says so already.
   *
   * @param group as it was read
   * @param fence checks the run lock again when the Group has changed
   */
  public void writeOn(Group group, EngineObjects objects, Runnable fence) {
    if (recorded(group).filter(this::equals).isEmpty()) {
      objects.annotate(group, Labels.MEMBERS, text(), fence);
    }
  }

  /** Removes it from a Group whose pods do not join and leave any more. */
  public static void forget(Group group, EngineObjects objects, Runnable fence) {
    if (recorded(group).isPresent()) {
      objects.annotate(group, Labels.MEMBERS, null, fence);
    }
  }

  private String text() {
    return count
        + moving
            .map(
                it ->
                    " %s %s"
                        .formatted(
                            it.direction() == Direction.JOIN ? "joining" : "leaving", it.pod()))
            .orElse("");
  }
}
