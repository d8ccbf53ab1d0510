package io.middleware.engine.activities.checks;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.cluster.runlock.PauseGate;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Carries checks out again and again beside the tasks of a change.
 *
 * <ol>
 *   <li>While the App is paused, do not look, and forget what was found.
 *   <li>Look at the checks that are due, component by component, and report what was found.
 *   <li>When one has failed too often in a row, report that, and end.
 *   <li>Otherwise wait until the next one is due.
 * </ol>
 */
final class CheckWatch {
  private static final Duration WHILE_PAUSED = Duration.ofSeconds(1);

  private final ChangeRef change;
  private final Map<String, CheckLook> looks;
  private final List<WatchedCheck> checks;
  private final WatchContext context;
  private final InstantSource clock;

  /** What a watch works with. */
  record WatchContext(PauseGate gate, ClusterWaiter waiter, CheckReport report) {}

  /**
   * @param looks by component
   */
  CheckWatch(
      ChangeRef change,
      Map<String, CheckLook> looks,
      List<WatchedCheck> checks,
      WatchContext context,
      InstantSource clock) {
    this.change = change;
    this.looks = Map.copyOf(looks);
    this.checks = List.copyOf(checks);
    this.context = context;
    this.clock = clock;
  }

  /** Never returns: it is cancelled, or fails. */
  void run() {
    while (true) {
      if (context.gate().unpausedWithSpec(change).isEmpty()) {
        checks.forEach(WatchedCheck::forget);
        pause(WHILE_PAUSED);
      } else {
        lookAtThoseThatAreDue();
        pause(untilTheNextIsDue());
      }
    }
  }

  private void lookAtThoseThatAreDue() {
    var now = clock.instant();
    checks.stream()
        .filter(check -> check.isDue(now))
        .collect(groupingBy(WatchedCheck::component, LinkedHashMap::new, toList()))
        .forEach(this::look);
    var failed = checks.stream().filter(WatchedCheck::hasFailed).toList();
    if (!failed.isEmpty()) {
      var why = failed.stream().map(WatchedCheck::failure).collect(joining("; "));
      context.report().failed(change, why);
      throw Faults.of(FaultKind.CHECK_FAILED, why);
    }
  }

  private void look(String component, List<WatchedCheck> due) {
    var compiled = due.stream().map(WatchedCheck::check).toList();
    var verdicts =
        AttendedCalls.await(
            () -> looks.get(component).verdicts(compiled),
            () -> context.waiter().heartbeat().send(message()));
    var now = clock.instant();
    for (var i = 0; i < due.size(); i++) {
      due.get(i).found(verdicts.get(i), now);
    }
    context.report().watched(change, component, due);
  }

  private Duration untilTheNextIsDue() {
    var next = checks.stream().map(WatchedCheck::next).min(Instant::compareTo).orElseThrow();
    return Duration.between(clock.instant(), next);
  }

  private void pause(Duration time) {
    var message = message();
    context.waiter().until(AppKey.of(change), time, () -> Optional.of(message));
  }

  private String message() {
    return checks.stream()
        .map(
            check ->
                "check %s of %s: %s"
                    .formatted(check.check().name(), check.component(), check.message()))
        .collect(joining("; "));
  }
}
