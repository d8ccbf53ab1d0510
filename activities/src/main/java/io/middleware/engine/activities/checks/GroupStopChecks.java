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
import java.util.concurrent.Callable;
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
    var names = names(app, group);
    if (names.isEmpty()) {
      return Optional.empty();
    }
    var request = new CheckRequest(group.task(), Optional.of(group.group()), names);
    var replicas = looks.replicas(request);
    if (replicas < 2) {
      return Optional.empty();
    }
    var look = looks.look(request, app, Optional.of(pod.name()));
    var checks = looks.compiled(request, app);
    if (!pod.isReady()) {
      checks = checks.stream().filter(CompiledCheck::asksAgents).toList();
      if (checks.isEmpty() || !mayServe(pod, look, replicas)) {
        return Optional.empty();
      }
    }
    return refusal(pod, look, checks);
  }

  /**
   * Whether the others may need a pod that is not ready: its server runs, and one of them is away.
   */
  private boolean mayServe(PodState pod, CheckLook look, int replicas) {
    return pod.runsBeside(look.agentPort())
        && attended(pod, () -> look.readyBeside(pod.name())) < replicas - 1;
  }

  private Optional<String> refusal(PodState pod, CheckLook look, List<CompiledCheck> checks) {
    var verdicts = attended(pod, () -> look.verdicts(checks));
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

  private <T> T attended(PodState pod, Callable<T> call) {
    return AttendedCalls.await(
        call, () -> heartbeat.send("pod %s: may it be stopped?".formatted(pod.name())));
  }

  private List<String> names(App app, GroupRef group) {
    return looks.all(group.task(), app).filter(Check::isBeforePods).map(Check::name).toList();
  }
}
