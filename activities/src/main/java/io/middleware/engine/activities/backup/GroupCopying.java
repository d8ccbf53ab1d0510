package io.middleware.engine.activities.backup;

import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.backup.BackupCopy;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.ActionOrder;
import io.middleware.engine.cluster.agents.ActionOutcome;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionDone;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionRefused;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnanswered;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnknown;
import io.middleware.engine.cluster.agents.ActionRetry;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.workflows.port.BackupActivities.GroupCopy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 *       A pod that does not answer for a while is put off: the others are asked before it.
 * </ol>
 */
final class GroupCopying {
  private final ClusterWaiter waiter;
  private final AgentActions actions;
  private final CopyRecords records;
  private final CopyPods pods;
  private final CopyJob job;
  private final Map<String, String> refused = new LinkedHashMap<>();

  /** Pods that did not answer, with the reasons, until all others have been asked. */
  private final Map<String, String> putOff = new LinkedHashMap<>();

  private String unanswered = "";

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

  void run() {
    try {
      while (!isVerified()) {
        var backup = records.backup();
        var again = recorded(backup);
        var pod = again.or(this::next).orElseThrow(this::all);
        copy(backup, pod, records.begin(pod, again.isPresent()));
      }
    } finally {
      job.messages().done(job.group().backup(), job.id());
    }
  }

  private Optional<PodState> next() {
    var next = next(reasons().keySet());
    if (next.isPresent() || putOff.isEmpty()) {
      return next;
    }
    putOff.clear();
    return next(refused.keySet());
  }

  private Optional<PodState> next(Set<String> without) {
    return pods.next(without, text -> tell(job.id() + ": " + text));
  }

  private boolean isVerified() {
    return records.of(records.backup()).filter(BackupCopy::isVerified).isPresent();
  }

  /** The pod that has been asked already, perhaps by an earlier attempt of this step. */
  private Optional<PodState> recorded(Backup backup) {
    return records
        .of(backup)
        .filter(copy -> !reasons().containsKey(copy.podUid()))
        .flatMap(copy -> pods.existing().current(copy.podUid()));
  }

  private void copy(Backup backup, PodState pod, BackupCopy begun) {
    var copy = begun;
    if (copy.checksum() == null) {
      var values =
          ask(backup, pod, copy, "backup", Map.of("key", copy.key()))
              .flatMap(it -> complete(pod, it));
      if (values.isEmpty()) {
        return;
      }
      copy = records.copied(copy, values.get());
    }
    var parameters = Map.of("key", copy.key(), "checksum", copy.checksum());
    var expected = copy.checksum();
    if (ask(backup, pod, copy, "verify-backup", parameters)
        .flatMap(values -> same(pod, expected, values))
        .isPresent()) {
      records.verified(copy);
    }
  }

  /** An agent that has read another copy has not verified this one. */
  private Optional<Map<String, String>> same(
      PodState pod, String expected, Map<String, String> values) {
    var found = values.getOrDefault("checksum", expected);
    return found.equals(expected)
        ? Optional.of(values)
        : refuse(
            pod,
            "pod %s: its action verify-backup found the checksum \"%s\" in the store, not %s"
                .formatted(pod.name(), PlainText.clean(found), expected));
  }

  private Optional<Map<String, String>> complete(PodState pod, Map<String, String> values) {
    var checksum = values.getOrDefault("checksum", "");
    if (checksum.isEmpty()) {
      return refuse(pod, "pod %s: its action backup returned no checksum".formatted(pod.name()));
    }
    return CopyKeys.isChecksum(checksum)
        ? Optional.of(values)
        : refuse(
            pod,
            "pod %s: its action backup returned the checksum \"%s\", which is not one word of at most %d characters"
                .formatted(pod.name(), PlainText.clean(checksum), CopyKeys.LONGEST_CHECKSUM));
  }

  /** The values that the action gives; empty when the pod refuses, or is gone. */
  private Optional<Map<String, String>> ask(
      Backup backup, PodState pod, BackupCopy copy, String action, Map<String, String> parameters) {
    var id = CopyKeys.operation(action, backup, copy);
    unanswered = "";
    var begin = System.nanoTime();
    var outcome =
        new ActionRetry(waiter, pods.existing(), pod, this::tell)
            .untilAnswered(
                () -> patient(begin, pod, ask(pod, id, action, parameters)), this::unanswered);
    return switch (outcome) {
      case ActionDone<ActionOutput>(var output) when ActionOutcome.endedWell(output) ->
          Optional.of(output.getValuesMap());
      case ActionDone<ActionOutput>(var output) ->
          refuse(pod, CopyTexts.failure(pod, action, output));
      case ActionRefused<ActionOutput> silent when putOff.containsKey(pod.uid()) ->
          Optional.empty();
      case ActionRefused<ActionOutput>(var why) -> refuse(pod, why);
      case ActionUnknown<ActionOutput>(var why) ->
          refuse(pod, why + "; give the pods an agent that knows the actions of backups");
      case ActionUnanswered<ActionOutput> gone -> Optional.empty();
    };
  }

  /** The outcome; a refusal once the pod has been silent for so long that another one is asked. */
  private ActionOutcome<ActionOutput> patient(
      long begin, PodState pod, ActionOutcome<ActionOutput> outcome) {
    if (outcome instanceof ActionUnanswered<ActionOutput>(var why)
        && pods.isOverdue(begin)
        && pods.hasOther(pod, refused.keySet())) {
      putOff.put(pod.uid(), job.hide().apply(why));
      return new ActionRefused<>(why);
    }
    return outcome;
  }

  private Map<String, String> reasons() {
    var all = new LinkedHashMap<>(refused);
    all.putAll(putOff);
    return all;
  }

  private ActionOutcome<ActionOutput> ask(
      PodState pod, String id, String action, Map<String, String> parameters) {
    var order = new ActionOrder(action, parameters, left(), CopyRemoval.KILL_TIMEOUT);
    var now = pods.existing().current(pod.uid()).orElse(pod);
    var call = new ActionCall(job.place().agents(), now, id);
    return actions.runAction(call, order, text -> follow(pod, action, text));
  }

  private Optional<Map<String, String>> refuse(PodState pod, String why) {
    refused.put(pod.uid(), job.hide().apply(why));
    return Optional.empty();
  }

  private String unanswered(String why) {
    unanswered = job.hide().apply(why);
    return "%s: %s".formatted(job.id(), unanswered);
  }

  /** A copy that ends after the time limit would be left in the store. */
  private Duration left() {
    var left = job.timeout().get();
    if (left.compareTo(CopyTimeLimit.SHORTEST) >= 0) {
      return left;
    }
    var why = unanswered.isEmpty() ? CopyTexts.reasons(reasons()) : unanswered;
    throw Faults.of(
        FaultKind.AGENTS_UNAVAILABLE,
        "timed out before %s was copied%s".formatted(job.id(), why.isEmpty() ? "" : ": " + why));
  }

  private void follow(PodState pod, String action, String text) {
    waiter.heartbeat().send(job.hide().apply(text));
    job.say(CopyTexts.progress(job.id(), pod, action, text));
  }

  private void tell(String message) {
    waiter.heartbeat().send(message);
    job.say(message);
  }

  private RuntimeException all() {
    return Faults.of(
        FaultKind.AGENT_REFUSED,
        "no pod made a valid copy of %s: %s".formatted(job.id(), CopyTexts.reasons(refused)));
  }
}
