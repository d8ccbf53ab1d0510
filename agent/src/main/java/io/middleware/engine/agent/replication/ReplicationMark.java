package io.middleware.engine.agent.replication;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the copy of one pod last was in its group. It stays on the pod's volume, because a server
 * may forget it at a restart.
 *
 * @param lineage of a group's epochs; a group that begins anew begins another one
 * @param epoch grows with each change of primary; 0: the copy has never been part of the group
 * @param history by which the server names its data in this epoch; empty: not known yet
 * @param offset the last one recorded, so the copy has at least this much of the history
 */
public record ReplicationMark(
    String lineage, long epoch, Standing standing, String history, long offset) {
  public static final ReplicationMark NONE = new ReplicationMark("", 0, Standing.FOLLOWING, "", 0);

  /** Only characters that a host name may have. */
  private static final Pattern TEXT =
      Pattern.compile("mark1\\.([0-9a-f]*)\\.(\\d{1,18})\\.([A-Z]+)\\.([0-9a-f]*)\\.(\\d{1,18})");

  public enum Standing {
    /** It was the primary. */
    PRIMARY,
    /** It was connected to the primary, as long as there was one. */
    FOLLOWING,
    /** It was not connected, while the primary went on. */
    BEHIND,
    /** It followed a server of another group, whose data it has. */
    FOREIGN
  }

  /** Empty when the text is no mark. */
  public static Optional<ReplicationMark> parse(String text) {
    var match = TEXT.matcher(text);
    if (!match.matches()) {
      return Optional.empty();
    }
    for (var standing : Standing.values()) {
      if (standing.name().equals(match.group(3))) {
        return Optional.of(
            new ReplicationMark(
                match.group(1),
                Long.parseLong(match.group(2)),
                standing,
                match.group(4),
                Long.parseLong(match.group(5))));
      }
    }
    return Optional.empty();
  }

  public String text() {
    return "mark1.%s.%d.%s.%s.%d".formatted(lineage, epoch, standing, history, offset);
  }

  /** Whether it ranks a copy among those of a lineage. */
  public boolean isOf(String someLineage) {
    return epoch > 0 && standing != Standing.FOREIGN && lineage.equals(someLineage);
  }

  public boolean isForeign() {
    return standing == Standing.FOREIGN;
  }

  /** Whether a server with this history is the primary of the mark's epoch. */
  public boolean isPrimaryWith(String someHistory) {
    return standing == Standing.PRIMARY && history.equals(someHistory);
  }

  public ReplicationMark with(Standing changed) {
    return new ReplicationMark(lineage, epoch, changed, history, offset);
  }

  public ReplicationMark of(String changed) {
    return new ReplicationMark(lineage, epoch, standing, changed, offset);
  }

  public ReplicationMark at(long changed) {
    return new ReplicationMark(lineage, epoch, standing, history, changed);
  }
}
