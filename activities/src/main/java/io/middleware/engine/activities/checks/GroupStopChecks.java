package io.middleware.engine.activities.checks;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.activities.pods.StopChecks;
import io.middleware.engine.api.App;
import io.middleware.engine.api.check.Check;
import io.middleware.engine.cluster.Heartbeat;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.workflows.port.CheckActivities.CheckRequest;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** {@inheritDoc} */
final class GroupStopChecks implements StopChecks {
  private final CheckLooks looks;
  private final Heartbeat heartbeat;

  /**
   * @param heartbeat is sent which pod is asked, while an answer is waited for
   */
  GroupStopChecks(CheckLooks looks, Heartbeat heartbeat) {
    this.looks = looks;
    this.heartbeat = heartbeat;
  }

  @Override
  public boolean exist(App app, GroupRef group) {
    return !names(app, group).isEmpty();
  }

  @Override
  public Optional<String> refusal(App app, GroupRef group, PodState pod) {
    var names = pod.isReady() ? names(app, group) : List.<String>of();
    if (names.isEmpty()) {
      return Optional.empty();
    }
    var request = new CheckRequest(group.task(), Optional.of(group.group()), names);
    if (looks.replicas(request) < 2) {
      return Optional.empty();
    }
    var checks = looks.compiled(request, app);
    var look = looks.look(request, app, Optional.of(pod.name()));
    var verdicts =
        AttendedCalls.await(
            () -> look.verdicts(checks),
            () -> heartbeat.send("pod %s: may it be stopped?".formatted(pod.name())));
    return Optional.of(
            IntStream.range(0, checks.size())
                .boxed()
                .flatMap(
                    i ->
                        verdicts.get(i).missing().stream()
                            .map(why -> "check %s: %s".formatted(checks.get(i).name(), why)))
                .collect(joining("; ")))
        .filter(why -> !why.isEmpty());
  }

  private List<String> names(App app, GroupRef group) {
    return looks.all(group.task(), app).filter(Check::isBeforePods).map(Check::name).toList();
  }
}
