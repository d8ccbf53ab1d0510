package io.middleware.engine.activities.backup;

import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Heartbeat;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.ActionOrder;
import io.middleware.engine.cluster.agents.ActionOutcome;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.BackupActivities.BackupGroup;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Deletes copies through the agents of any pods that reach their store. */
final class CopyRemoval {
  /** How long an agent may take to end an action after it is terminated. */
  static final Duration KILL_TIMEOUT = Duration.ofSeconds(30);

  /** For a deletion that somebody has asked for. */
  static final Duration PATIENT = Duration.ofMinutes(1);

  /** While a run ends: what is left then is deleted with its Backup. */
  static final Duration BRIEF = Duration.ofSeconds(5);

  private final ClusterView view;
  private final AgentActions actions;
  private final Heartbeat heartbeat;

  CopyRemoval(ClusterView view, AgentActions actions, Heartbeat heartbeat) {
    this.view = view;
    this.actions = actions;
    this.heartbeat = heartbeat;
  }

  /** A ready pod whose agent reaches the store. */
  record Remover(PodState pod, AgentEndpoint agents, BackupGroup group) {}

  /** The ready pods of these components. */
  List<Remover> removers(AppKey app, List<BackupComponents.DeployedPart> parts) {
    return parts.stream()
        .flatMap(part -> part.groups().flatMap(group -> ready(app, part.agents(), group)))
        .toList();
  }

  private Stream<Remover> ready(AppKey app, AgentEndpoint agents, BackupGroup group) {
    return view.statefulSet(app, group.component(), group.group()).stream()
        .flatMap(set -> view.podsOf(app, set).stream())
        .filter(pod -> pod.isReady() && pod.ip().isPresent())
        .map(pod -> new Remover(pod, agents, group));
  }

  /**
   * Deletes the copies of all attempts; one that is not there is deleted already. The pod that was
   * asked to copy last is the first to be asked: its agent deletes nothing before it has ended the
   * copy.
   *
   * @param longest how long an agent may take for one copy
   * @throws io.temporal.failure.ApplicationFailure of kind UNAVAILABLE when an agent that might
   *     delete it does not answer, of kind AGENT_REFUSED when all refuse, or the store does not
   *     answer
   */
  void delete(List<BackupCopy> copies, List<Remover> removers, Duration longest) {
    var silent = new HashSet<String>();
    for (var copy : copies) {
      var inOrder =
          removers.stream()
              .sorted(
                  Comparator.<Remover, Boolean>comparing(
                          remover -> !remover.pod().uid().equals(copy.podUid()))
                      .thenComparing(remover -> !isOf(copy, remover)))
              .toList();
      CopyKeys.all(copy).forEach(key -> delete(key, inOrder, silent, longest));
    }
  }

  private static boolean isOf(BackupCopy copy, Remover remover) {
    var group = remover.group();
    return copy.id().equals(BackupCopy.id(group.component(), group.group()));
  }

  /**
   * @param silent uids of pods that have not answered
   */
  private void delete(String key, List<Remover> removers, Set<String> silent, Duration longest) {
    var last = "no pod is ready whose agent reaches the store";
    for (var remover : removers) {
      var uid = remover.pod().uid();
      if (silent.contains(uid)) {
        continue;
      }
      switch (ask(key, remover, longest)) {
        case ActionOutcome.ActionDone<ActionOutput>(var output) -> {
          if (ActionOutcome.endedWell(output)) {
            return;
          }
          last = CopyTexts.failure(remover.pod(), "delete-backup", output);
          if (output.getTimedOut()) { // it is the store that hangs, and all share it
            throw Faults.of(FaultKind.AGENT_REFUSED, "copy %s: %s".formatted(key, last));
          }
        }
        case ActionOutcome.ActionRefused<ActionOutput>(var why) -> last = why;
        case ActionOutcome.ActionUnknown<ActionOutput>(var why) -> last = why;
        case ActionOutcome.ActionUnanswered<ActionOutput>(var why) -> {
          silent.add(uid);
          last = why;
        }
      }
    }
    var kind =
        removers.isEmpty() || !silent.isEmpty() ? FaultKind.UNAVAILABLE : FaultKind.AGENT_REFUSED;
    throw Faults.of(kind, "copy %s: %s".formatted(key, last));
  }

  /** The id is another one each time, as an agent answers a known one with what it knows. */
  private ActionOutcome<ActionOutput> ask(String key, Remover remover, Duration longest) {
    var id = "delete-backup-" + UUID.randomUUID();
    return actions.runAction(
        new ActionCall(remover.agents(), remover.pod(), id),
        new ActionOrder("delete-backup", Map.of("key", key), longest, KILL_TIMEOUT),
        heartbeat::send);
  }
}
