package io.middleware.engine.activities.checks;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.cluster.runlock.PauseGate;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.planning.condition.UntilHolds;
import io.middleware.engine.planning.condition.UntilHolds.Decision;
import io.middleware.engine.workflows.port.CheckActivities.CheckRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Waits until the checks of a group or component have held.
 *
 * <ol>
 *   <li>While the App is paused, wait; then the time of all checks starts again.
 *   <li>Look, and decide on each check. One that passed is not looked at again.
 *   <li>When one has failed, report all that is decided, and end.
 *   <li>When all have passed, report that, and end. Otherwise look again after a second.
 * </ol>
 */
final class CheckWait {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final CheckRequest request;
  private final CheckLook look;
  private final CheckContext context;
  private final InstantSource clock;
  private final List<DecidedCheck> decided = new ArrayList<>();

  /** By name, what the last look has found about a check that is open. */
  private final Map<String, String> found = new HashMap<>();

  private Map<CompiledCheck, UntilHolds> open = Map.of();

  /**
   * What a wait works with.
   *
   * @param progress shows in the App's status what does not hold yet
   */
  record CheckContext(
      PauseGate gate, ClusterWaiter waiter, ActionProgressWriter progress, CheckReport report) {}

  CheckWait(CheckRequest request, CheckLook look, CheckContext context, InstantSource clock) {
    this.request = request;
    this.look = look;
    this.context = context;
    this.clock = clock;
  }

  void run(List<CompiledCheck> checks) {
    var progress = context.progress().open(request.change());
    begin(checks);
    while (!open.isEmpty()) {
      if (context.gate().unpausedWithSpec(request.change()).isEmpty()) {
        context.gate().pass(request.change());
        begin(List.copyOf(open.keySet()));
      }
      var failed = decide();
      if (!failed.isEmpty()) {
        context.report().failed(request, decided);
        progress.done();
        throw failure(failed);
      }
      if (!open.isEmpty()) {
        var message = message();
        progress.report(message);
        pause(message);
      }
    }
    context.report().passed(request, decided);
    progress.done();
  }

  /** The time of these checks begins. */
  private void begin(List<CompiledCheck> checks) {
    var now = clock.instant();
    open = new LinkedHashMap<>();
    checks.forEach(check -> open.put(check, new UntilHolds(now, check.within(), check.keeps())));
  }

  /** Looks once; returns the checks that have failed. */
  private List<DecidedCheck> decide() {
    var checks = List.copyOf(open.keySet());
    var verdicts = AttendedCalls.await(() -> look.verdicts(checks), () -> heartbeat(message()));
    for (var i = 0; i < checks.size(); i++) {
      var check = checks.get(i);
      var verdict = verdicts.get(i);
      found.put(check.name(), verdict.message());
      if (open.get(check).after(verdict, clock.instant()) != Decision.OPEN) {
        open.remove(check);
        decided.add(new DecidedCheck(check, verdict));
      }
    }
    return decided.stream().filter(it -> !it.passed()).toList();
  }

  private RuntimeException failure(List<DecidedCheck> failed) {
    return Faults.of(
        FaultKind.CHECK_FAILED,
        failed.stream().map(it -> it.failure(request)).collect(joining("; ")));
  }

  /** Begins with what is checked: a task that times out tells by that what it waits for. */
  private String message() {
    var component = "component " + request.task().component();
    return open.keySet().stream()
        .map(CompiledCheck::name)
        .map(name -> "check %s: %s".formatted(name, found.getOrDefault(name, "looks")))
        .collect(
            joining(
                "; ",
                request.group().map(group -> "group %s of ".formatted(group)).orElse("")
                    + component
                    + ": ",
                ""));
  }

  private void pause(String message) {
    var key = AppKey.of(request.change());
    context.waiter().until(key, PAUSE, () -> Optional.of(message));
  }

  private void heartbeat(String message) {
    context.waiter().heartbeat().send(message);
  }
}
