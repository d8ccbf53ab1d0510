package io.middleware.engine.activities.actions;

import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.operation.ActionRunBuilder;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The runs of an Operation's action on the pods of one group, or in its Job, as the Operation's
 * status keeps them. A run is written before its pod is touched, or its Job exists, so that a
 * repeat finds it.
 */
final class ActionRuns implements ActionMemory {
  private static final int LONGEST_OUTPUT = 1024;
  private static final int LONGEST_MESSAGE = 2048;
  private static final int LONGEST_VALUE = 512;
  private static final int MOST_VALUES = 32;

  /** Of one pod, as the protocol allows. */
  private static final int LONGEST_VALUES = 4096;

  /** Of all pods of the Operation: an object has a limited size. */
  private static final int LONGEST_OUTPUTS = 128 * 1024;

  private final Operations operations;
  private final SensitiveValues secrets;
  private final GroupRef group;

  ActionRuns(Operations operations, SensitiveValues secrets, GroupRef group) {
    this.operations = operations;
    this.secrets = secrets;
    this.group = group;
  }

  /** The Operation as it is now. */
  Operation operation() {
    return operations
        .find(group.change())
        .filter(it -> it.getSpec() != null)
        .orElseThrow(this::gone);
  }

  /** The runs on the group's pods, or in its Job, by name. */
  @Override
  public Map<String, ActionRun> byPod() {
    var runs = new LinkedHashMap<String, ActionRun>();
    all(operation())
        .filter(it -> group.group().equals(it.group()))
        .filter(it -> group.task().component().equals(it.component()))
        .forEach(it -> runs.put(it.pod(), it));
    return runs;
  }

  @Override
  public ActionRun begin(PodState pod) {
    return write(
        pod.name(),
        before ->
            before != null && before.isRunning() && pod.uid().equals(before.uid())
                ? before
                : begun(pod.name(), pod.uid(), before == null ? 1 : before.attempts() + 1));
  }

  /** The run in the Job of this name; a new one has no uid until its Job exists. */
  ActionRun begin(String job) {
    return write(job, before -> before == null ? begun(job, null, 1) : before);
  }

  private ActionRun begun(String pod, String uid, int attempts) {
    return ActionRunBuilder.builder()
        .pod(pod)
        .uid(uid)
        .component(group.task().component())
        .group(group.group())
        .status(ActionRun.RUNNING)
        .attempts(attempts)
        .build();
  }

  /** The Job of the run exists, and has this uid. */
  ActionRun by(ActionRun run, String uid) {
    return write(run.pod(), before -> run.by(uid));
  }

  /** The agent does not answer, or the Job does not go on. */
  @Override
  public void waiting(ActionRun run, String why) {
    write(run.pod(), before -> Objects.requireNonNullElse(before, run).saying(shown(why)));
  }

  @Override
  public void ended(ActionRun run, String how, String why) {
    write(run.pod(), before -> run.ended(how, shown(why)));
  }

  @Override
  public void ended(ActionRun run, String how, ActionOutput output) {
    write(
        run.pod(),
        before -> run.ended(how, output.getExitCode(), tail(output.getOutput()), values(output)));
  }

  void ended(ActionRun run, String how, JobEnd end) {
    var why = end.why().isEmpty() ? null : shown(end.why());
    write(
        run.pod(),
        before ->
            end.exitCode()
                .map(code -> run.ended(how, code, tail(end.words()), Map.of()).saying(why))
                .orElseGet(() -> run.ended(how, why)));
  }

  /**
   * @param next of the run of this name before; null when there is none
   */
  private ActionRun write(String pod, UnaryOperator<ActionRun> next) {
    var written = new ActionRun[1];
    var operation =
        operations.write(
            group.change(),
            found -> {
              written[0] = next.apply(of(found, pod));
              return found.hasEnded()
                  ? Optional.empty()
                  : Optional.of(found.getStatus().with(limited(found, written[0])));
            });
    if (operation.isEmpty()) {
      throw gone();
    }
    return written[0];
  }

  private static ActionRun of(Operation operation, String pod) {
    return all(operation).filter(it -> pod.equals(it.pod())).findFirst().orElse(null);
  }

  private static ActionRun limited(Operation operation, ActionRun run) {
    var others =
        all(operation)
            .filter(it -> !run.pod().equals(it.pod()) && it.output() != null)
            .mapToInt(it -> it.output().length())
            .sum();
    return run.output() != null && others + run.output().length() > LONGEST_OUTPUTS
        ? run.ended(run.status(), run.exitCode(), "", Map.of())
        : run;
  }

  private static Stream<ActionRun> all(Operation operation) {
    return Stream.ofNullable(operation.getStatus())
        .map(OperationStatus::runs)
        .filter(Objects::nonNull)
        .flatMap(List::stream);
  }

  private String tail(String output) {
    var text = PlainText.lines(secrets.hide(group.change().uid(), output));
    return ActionTexts.end(text, LONGEST_OUTPUT);
  }

  private Map<String, String> values(ActionOutput output) {
    var values = new LinkedHashMap<String, String>();
    output.getValuesMap().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .limit(MOST_VALUES)
        .forEach(it -> values.put(shownValue(it.getKey()), shownValue(it.getValue())));
    var length = values.entrySet().stream().mapToInt(ActionRuns::length).sum();
    return length > LONGEST_VALUES ? Map.of() : values;
  }

  private String shownValue(String text) {
    return Excerpt.start(secrets.hide(group.change().uid(), text), LONGEST_VALUE);
  }

  private static int length(Map.Entry<String, String> value) {
    return value.getKey().length() + value.getValue().length();
  }

  private String shown(String why) {
    return Excerpt.start(secrets.hide(group.change().uid(), why), LONGEST_MESSAGE);
  }

  private RuntimeException gone() {
    return Faults.of(
        FaultKind.SUPERSEDED,
        "%s has ended or is gone; no further pod of group %s is touched"
            .formatted(group.change().subject(), group.group()));
  }
}
