package io.middleware.engine.watcher.health;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How many pods are wanted, how many of these are ready, and what the others say. A pod too many
 * makes up for no other group's.
 */
record ReadyCount(int ready, int wanted, List<String> complaints) {
  private static final int SHOWN = 3;

  ReadyCount {
    complaints = List.copyOf(complaints);
  }

  static ReadyCount of(int wanted, List<PodHealth> pods) {
    var ready = (int) pods.stream().filter(PodHealth::isReady).count();
    return new ReadyCount(
        Math.min(ready, wanted),
        wanted,
        pods.stream().map(PodHealth::complaint).flatMap(Optional::stream).toList());
  }

  static ReadyCount sum(Stream<ReadyCount> tallies) {
    return tallies.reduce(new ReadyCount(0, 0, List.of()), ReadyCount::plus);
  }

  private ReadyCount plus(ReadyCount other) {
    return new ReadyCount(
        ready + other.ready,
        wanted + other.wanted,
        Stream.concat(complaints.stream(), other.complaints.stream()).toList());
  }

  boolean isComplete() {
    return ready >= wanted;
  }

  /** For example {@code 8/9}. */
  String ratio() {
    return ready + "/" + wanted;
  }

  /** For example {@code 8/9 pods ready: cache-redis-0 CrashLoopBackOff}. */
  String inWords() {
    return ratio() + " pods ready" + (isComplete() ? "" : because());
  }

  private String because() {
    if (complaints.isEmpty()) {
      return "";
    }
    var shown = complaints.stream().limit(SHOWN).collect(Collectors.joining(", ", ": ", ""));
    var more = complaints.size() - SHOWN;
    return more > 0 ? shown + " and " + more + " more" : shown;
  }
}
