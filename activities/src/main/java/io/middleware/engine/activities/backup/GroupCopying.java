package io.middleware.engine.activities.backup;

import io.middleware.engine.activities.agents.ActionOrder;
import io.middleware.engine.activities.agents.ActionOutcome;
import io.middleware.engine.activities.agents.AgentActions;
import io.middleware.engine.activities.agents.AgentActions.ActionCall;
import io.middleware.engine.activities.kubernetes.ClusterWaiter;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.Backup;
import io.middleware.engine.api.BackupCopy;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.workflows.port.BackupActivities.GroupCopy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Copies one group.
 *
 * <ol>
 *   <li>Choose the pod: the one that makes the copy already, otherwise one that fits.
 *   <li>Write into the status which pod makes the copy, and its key.
 *   <li>Have its agent copy the data, then read the copy; again and again while it does not answer.
 *   <li>Write the result. If the pod goes away before, or refuses, begin again at 1 with a new key.
 * </ol>
 */
final class GroupCopying {
  /** Between two calls of an agent that does not answer. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final ClusterWaiter waiter;
  private final AgentActions actions;
  private final CopyRecords records;
  private final CopyPods pods;
  private final CopyJob job;
  private final Map<String, String> refused = new LinkedHashMap<>();

  /**
   * What is copied.
   *
   * @param timeout how long the agent may take from now on; see {@link CopyTimeLimit}
   * @param hide removes the confidential values of the App from a text
   */
  record CopyJob(
      GroupCopy group,
      CopyPods.Place place,
      Supplier<Duration> timeout,
      BackupMessages messages,
      UnaryOperator<String> hide) {
    String id() {
      return BackupCopy.id(group.group().component(), group.group().group());
    }

    void say(String text) {
      messages.say(group.backup(), id(), hide.apply(text));
    }
  }

  GroupCopying(
      ClusterWaiter waiter, AgentActions actions, CopyRecords records, CopyPods pods, CopyJob job) {
    this.waiter = waiter;
    this.actions = actions;
    this.records = records;
    this.pods = pods;
    this.job = job;
  }

  /** How a pod has answered. */
  private sealed interface Answer {}

  private record Done(Map<String, String> values) implements Answer {}

  private record Refused(String why) implements Answer {}

  private record Gone() implements Answer {}

  void run() {
    try {
      while (!isVerified()) {
        var backup = records.backup();
        var again = recorded(backup);
        var pod = again.or(() -> pods.next(refused.keySet(), this::waits)).orElseThrow(this::all);
        copy(backup, pod, records.begin(pod, again.isPresent()));
      }
    } finally {
      job.messages().done(job.group().backup(), job.id());
    }
  }

  private boolean isVerified() {
    return records.of(records.backup()).filter(BackupCopy::isVerified).isPresent();
  }

  /** The pod that has been asked already, perhaps by an earlier attempt of this step. */
  private Optional<PodState> recorded(Backup backup) {
    return records
        .of(backup)
        .filter(copy -> !refused.containsKey(copy.podUid()))
        .flatMap(copy -> pods.current(copy.podUid()));
  }

  private void copy(Backup backup, PodState pod, BackupCopy begun) {
    var copy = begun;
    if (copy.checksum() == null) {
      var answer = ask(backup, pod, copy, "backup", Map.of("key", copy.key()));
      if (!(answer instanceof Done(var values)) || !isComplete(pod, values)) {
        remember(pod, answer);
        return;
      }
      copy = records.copied(copy, values);
    }
    var parameters = Map.of("key", copy.key(), "checksum", copy.checksum());
    var answer = ask(backup, pod, copy, "verify-backup", parameters);
    if (answer instanceof Done) {
      records.verified(copy);
    } else {
      remember(pod, answer);
    }
  }

  private boolean isComplete(PodState pod, Map<String, String> values) {
    if (values.getOrDefault("checksum", "").isEmpty()) {
      refused.put(pod.uid(), "pod %s: its action backup gave no checksum".formatted(pod.name()));
      return false;
    }
    return true;
  }

  private void remember(PodState pod, Answer answer) {
    if (answer instanceof Refused(var why)) {
      refused.put(pod.uid(), job.hide().apply(why));
    }
  }

  private Answer ask(
      Backup backup, PodState pod, BackupCopy copy, String action, Map<String, String> parameters) {
    var id = CopyKeys.operation(action, backup, copy);
    var unanswered = "";
    while (true) {
      var order = new ActionOrder(action, parameters, left(unanswered), CopyRemoval.KILL_TIMEOUT);
      var now = pods.current(pod.uid()).orElse(pod);
      var call = new ActionCall(job.place().agents(), now, id);
      switch (actions.runAction(call, order, text -> follow(pod, action, text))) {
        case ActionOutcome.ActionDone<ActionOutput>(var output) -> {
          return answer(pod, action, output);
        }
        case ActionOutcome.ActionRefused<ActionOutput>(var why) -> {
          return new Refused(why);
        }
        case ActionOutcome.ActionUnknown<ActionOutput>(var why) -> {
          return new Refused(why + "; give the pods an agent that knows the actions of backups");
        }
        case ActionOutcome.ActionUnanswered<ActionOutput>(var why) -> {
          if (isGone(pod, why)) {
            return new Gone();
          }
          unanswered = why;
        }
      }
    }
  }

  /** A copy that ends after the time limit would be left in the store. */
  private Duration left(String unanswered) {
    var left = job.timeout().get();
    if (left.compareTo(CopyTimeLimit.SHORTEST) >= 0) {
      return left;
    }
    var why = unanswered.isEmpty() ? CopyTexts.reasons(refused) : job.hide().apply(unanswered);
    throw Faults.of(
        FaultKind.AGENTS_UNAVAILABLE,
        "the time limit is over, and %s is not copied%s"
            .formatted(job.id(), why.isEmpty() ? "" : ": " + why));
  }

  private static Answer answer(PodState pod, String action, ActionOutput output) {
    if (output.getExitCode() == 0 && !output.getTimedOut()) {
      return new Done(output.getValuesMap());
    }
    return new Refused(CopyTexts.failure(pod, action, output));
  }

  /** Waits a while, or until the pod is gone. */
  private boolean isGone(PodState pod, String why) {
    var message =
        job.hide().apply("%s: %s; asked again until it answers".formatted(job.id(), why));
    return waiter
        .until(
            job.place().app(),
            PAUSE,
            () -> {
              waiter.heartbeat().send(message);
              job.say(message);
              return pods.exists(pod.uid()) ? Optional.of(message) : Optional.empty();
            })
        .isEmpty();
  }

  private void follow(PodState pod, String action, String text) {
    waiter.heartbeat().send(job.hide().apply(text));
    job.say(CopyTexts.progress(job.id(), pod, action, text));
  }

  private void waits(String text) {
    waiter.heartbeat().send(job.id() + ": " + text);
    job.say(job.id() + ": " + text);
  }

  private RuntimeException all() {
    return Faults.of(
        FaultKind.AGENT_REFUSED,
        "no pod makes a good copy of %s: %s".formatted(job.id(), CopyTexts.reasons(refused)));
  }
}
