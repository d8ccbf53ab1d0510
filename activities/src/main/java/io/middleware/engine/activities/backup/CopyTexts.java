package io.middleware.engine.activities.backup;

import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import java.util.List;
import java.util.Map;

/** What a copy says to people. */
final class CopyTexts {
  private static final int LONGEST_LINE = 300;

  private CopyTexts() {}

  /** How an action has failed that has ended. */
  static String failure(PodState pod, String action, ActionOutput output) {
    var last =
        output
            .getOutput()
            .lines()
            .map(line -> Excerpt.of(line, LONGEST_LINE).strip())
            .filter(line -> !line.isEmpty())
            .reduce("", (before, line) -> line);
    return "pod %s: %s %s%s"
        .formatted(
            pod.name(),
            action,
            output.getTimedOut()
                ? "did not end in time"
                : "failed with exit code " + output.getExitCode(),
            last.isEmpty() ? "" : ": " + last);
  }

  /**
   * Such as {@code copying nodes/shard-0 from pod cache-nodes-shard-0-1: 1.2 GiB sent (35 %)}.
   *
   * @param text as the agents' actions report it
   */
  static String progress(String group, PodState pod, String action, String text) {
    var begin = "pod %s: run %s: ".formatted(pod.name(), action);
    var more = text.startsWith(begin) ? text.substring(begin.length()).strip() : "";
    return ("backup".equals(action) ? "copying %s from pod %s%s" : "verifying %s on pod %s%s")
        .formatted(group, pod.name(), more.isEmpty() ? "" : ": " + more);
  }

  /** What the pods say that were asked, usually all the same: the last one in its words. */
  static String reasons(Map<String, String> byPod) {
    var all = List.copyOf(byPod.values());
    return all.size() <= 1
        ? String.join("", all)
        : "%d pods were asked; the last one: %s".formatted(all.size(), all.getLast());
  }
}
