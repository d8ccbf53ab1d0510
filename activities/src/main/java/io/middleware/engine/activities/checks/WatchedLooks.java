package io.middleware.engine.activities.checks;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.agents.AttendedCalls;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Checks that are looked at again and again, each when it is due. */
final class WatchedLooks {
  private final Map<String, CheckLook> looks;
  private final List<WatchedCheck> checks;
  private final InstantSource clock;

  /**
   * @param looks by component
   */
  WatchedLooks(Map<String, CheckLook> looks, List<WatchedCheck> checks, InstantSource clock) {
    this.looks = Map.copyOf(looks);
    this.checks = List.copyOf(checks);
    this.clock = clock;
  }

  /** Nothing is known any more. */
  void forget() {
    checks.forEach(WatchedCheck::forget);
  }

  /**
   * Looks at those that are due, component by component.
   *
   * @param heartbeat is sent what was found last, while sources are waited for
   * @param found receives the checks of each component that were looked at
   */
  void lookAtThoseThatAreDue(
      Consumer<String> heartbeat, BiConsumer<String, List<WatchedCheck>> found) {
    var now = clock.instant();
    checks.stream()
        .filter(check -> check.isDue(now))
        .collect(groupingBy(WatchedCheck::component, LinkedHashMap::new, toList()))
        .forEach(
            (component, due) -> {
              look(component, due, heartbeat);
              found.accept(component, due);
            });
  }

  private void look(String component, List<WatchedCheck> due, Consumer<String> heartbeat) {
    var compiled = due.stream().map(WatchedCheck::check).toList();
    var verdicts =
        AttendedCalls.await(
            () -> looks.get(component).verdicts(compiled), () -> heartbeat.accept(message()));
    var now = clock.instant();
    for (var i = 0; i < due.size(); i++) {
      due.get(i).found(verdicts.get(i), now);
    }
  }

  /** Why one of them has failed too often in a row; empty when none has. */
  Optional<String> failure() {
    return Optional.of(
            checks.stream()
                .filter(WatchedCheck::hasFailed)
                .map(WatchedCheck::failure)
                .collect(joining("; ")))
        .filter(why -> !why.isEmpty());
  }

  static RuntimeException failed(String why) {
    return Faults.of(FaultKind.CHECK_FAILED, why);
  }

  /** What those that do not hold have found; empty when there are none. */
  Optional<String> failing() {
    return Optional.of(
            checks.stream()
                .filter(WatchedCheck::isFailing)
                .map(WatchedLooks::message)
                .collect(joining("; ")))
        .filter(found -> !found.isEmpty());
  }

  Duration untilTheNextIsDue() {
    var next = checks.stream().map(WatchedCheck::next).min(Instant::compareTo).orElseThrow();
    return Duration.between(clock.instant(), next);
  }

  /** For people: what was found last. */
  String message() {
    return checks.stream().map(WatchedLooks::message).collect(joining("; "));
  }

  private static String message(WatchedCheck check) {
    return "check %s of %s: %s".formatted(check.check().name(), check.component(), check.message());
  }
}
