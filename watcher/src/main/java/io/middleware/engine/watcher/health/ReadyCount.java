package io.middleware.engine.watcher.health;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The number of desired pods, how many of them are ready, and the problems of the others. A surplus
 * pod of one group does not count for another group.
 *
 * @param remaining whether a stopped group still has pods, which the problems name
 */
record ReadyCount(int ready, int desired, List<String> problems, boolean remaining) {
  private static final int SHOWN = 3;

  ReadyCount {
    problems = List.copyOf(problems);
  }

  static ReadyCount of(DesiredPods desired, List<PodHealth> pods) {
    var ready =
        pods.stream()
            .filter(PodHealth::isReady)
            .map(PodHealth::name)
            .filter(name -> !desired.areNamed() || desired.names().contains(name))
            .count();
    var existing = pods.stream().map(PodHealth::name).collect(Collectors.toSet());
    return new ReadyCount(
        Math.min((int) ready, desired.count()),
        desired.count(),
        Stream.concat(
                pods.stream().map(PodHealth::problem).flatMap(Optional::stream),
                desired.missing(existing))
            .toList(),
        false);
  }

  /** Of a group that is to have no pods. */
  static ReadyCount stopped(List<PodHealth> pods) {
    var remaining = pods.stream().flatMap(pod -> pod.remaining().stream()).toList();
    return new ReadyCount(0, 0, remaining, !remaining.isEmpty());
  }

  static ReadyCount sum(Stream<ReadyCount> counts) {
    return counts.reduce(new ReadyCount(0, 0, List.of(), false), ReadyCount::plus);
  }

  private ReadyCount plus(ReadyCount other) {
    return new ReadyCount(
        ready + other.ready,
        desired + other.desired,
        Stream.concat(problems.stream(), other.problems.stream()).toList(),
        remaining || other.remaining);
  }

  boolean isComplete() {
    return ready >= desired && !remaining;
  }

  /** For example {@code 8/9}. */
  String ratio() {
    return ready + "/" + desired;
  }

  /** For example {@code 8/9 pods ready: cache-redis-0 CrashLoopBackOff}. */
  String message() {
    return ratio() + " pods ready" + (isComplete() ? "" : reasons());
  }

  private String reasons() {
    if (problems.isEmpty()) {
      return "";
    }
    var shown = problems.stream().limit(SHOWN).collect(Collectors.joining("; ", ": ", ""));
    var more = problems.size() - SHOWN;
    return more > 0 ? shown + "; and " + more + " more" : shown;
  }
}
