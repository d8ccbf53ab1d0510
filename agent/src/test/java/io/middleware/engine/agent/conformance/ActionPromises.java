package io.middleware.engine.agent.conformance;

import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.middleware.engine.agent.conformance.CheckedAgent.answer;
import static io.middleware.engine.agent.conformance.CheckedAgent.fails;
import static io.middleware.engine.agent.conformance.CheckedAgent.newId;
import static io.middleware.engine.agent.conformance.Promise.notApplicable;
import static io.middleware.engine.agent.conformance.Promise.require;

import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.proto.tool.v1.Progress;
import io.middleware.engine.proto.tool.v1.RunActionRequest;
import io.middleware.engine.proto.tool.v1.RunActionResponse;
import io.middleware.engine.proto.tool.v1.StopActionRequest;
import java.time.Duration;
import java.util.Iterator;
import java.util.stream.Stream;

/** What {@code ToolInvoker} promises of every action, shown with {@code RunAction}. */
final class ActionPromises {
  private static final int LONGEST_ID = 128;
  private static final int LONGEST_PROGRESS = 1024;
  private static final int LONGEST_OUTPUT = 16 * 1024;
  private static final int LONGEST_VALUES = 4 * 1024;

  private final CheckedAgent agent;

  ActionPromises(CheckedAgent agent) {
    this.agent = agent;
  }

  Stream<Promise> all() {
    return Stream.of(
        new Promise(
            "RunAction refuses an action that it does not know",
            () -> fails(() -> last(request(newId(), "agent-check-unknown")), FAILED_PRECONDITION)),
        new Promise(
            "RunAction refuses an id of more than 128 characters",
            () ->
                fails(() -> last(request("x".repeat(LONGEST_ID + 1), quick())), INVALID_ARGUMENT)),
        new Promise(
            "RunAction takes an id of 128 characters",
            () -> last(request(newId() + "x".repeat(LONGEST_ID - newId().length()), quick()))),
        new Promise("RunAction ends with a result within its limits", this::result),
        new Promise("RunAction gives the result again to the same id", this::resultAgain),
        new Promise("RunAction runs an action again for another id", this::anotherId),
        new Promise("RunAction repeats its progress while there is no news", this::progress),
        new Promise("RunAction attaches a repeated call to what is running", this::attach),
        new Promise("RunAction ends an action with its last call", this::lastCall),
        new Promise("RunAction terminates an action when its time is over", this::timeout),
        new Promise("StopAction answers when the action has ended", this::stop),
        new Promise("StopAction has stopped what is unknown", () -> stopped(newId())));
  }

  private String quick() {
    return named(
        agent.action(), "--action NAME, which ends by itself and prints something else each time");
  }

  private String slow() {
    return named(agent.longAction(), "--long-action NAME, which runs until it is stopped");
  }

  private static String named(String action, String option) {
    if (action.isEmpty()) {
      throw notApplicable("it needs an action: " + option);
    }
    return action;
  }

  private RunActionRequest request(String id, String action) {
    return RunActionRequest.newBuilder()
        .setPodName(agent.pod())
        .setOperationId(id)
        .setAction(action)
        .setKillTimeoutSeconds(1)
        .build();
  }

  private ActionOutput last(RunActionRequest request) {
    var steps = agent.calls().runAction(request);
    while (true) {
      require(steps.hasNext(), "the stream ends without a result");
      var step = steps.next();
      if (step.hasDone()) {
        require(!steps.hasNext(), "a message follows the result");
        return step.getDone();
      }
      isProgress(step.getProgress());
    }
  }

  private static void isProgress(Progress progress) {
    require(
        progress.getMessageBytes().size() <= LONGEST_PROGRESS, "a progress has more than 1 KiB");
    require(progress.getPercent() <= 100, "a progress of %d percent", progress.getPercent());
  }

  private void result() throws Exception {
    var output = answer(() -> last(request(newId(), quick())));
    require(output.getOutputBytes().size() <= LONGEST_OUTPUT, "its output has more than 16 KiB");
    var values = output.getValuesMap().entrySet().stream();
    require(
        values.mapToInt(v -> v.getKey().length() + v.getValue().length()).sum() <= LONGEST_VALUES,
        "its values have more than 4 KiB");
    require(!output.getTimedOut(), "it was terminated, although it had no timeout");
  }

  private void resultAgain() throws Exception {
    var id = newId();
    var first = answer(() -> last(request(id, quick())));
    require(
        last(request(id, quick())).equals(first),
        "a repeated call has another result: the action ran twice, or its result was forgotten");
  }

  private void anotherId() throws Exception {
    var first = answer(() -> last(request(newId(), quick())));
    require(
        !last(request(newId(), quick())).equals(first),
        "another id has the same result: the action was not run again, or --action prints the same each time");
  }

  private void progress() throws Exception {
    var id = newId();
    var steps = begun(id);
    isProgress(answer(steps::next).getProgress());
    var since = System.nanoTime();
    var second = steps.next();
    var silent = Duration.ofNanos(System.nanoTime() - since);
    require(silent.compareTo(agent.silence()) <= 0, "it is silent for %s", silent);
    require(second.hasProgress(), "the action ended: --long-action must run until it is stopped");
    isProgress(second.getProgress());
    stopped(id);
  }

  private Iterator<RunActionResponse> begun(String id) {
    return agent.calls().runAction(request(id, slow()));
  }

  private void attach() throws Exception {
    var id = newId();
    var first = Context.current().withCancellation();
    var begun = first.call(() -> begun(id));
    answer(begun::next);
    var second = begun(id);
    require(second.next().hasProgress(), "a repeated call does not attach: it has a result");
    first.cancel(null);
    require(
        second.next().hasProgress(),
        "the action ended with one of its calls, and not the last one");
    stopped(id);
  }

  private void lastCall() throws Exception {
    var id = newId();
    var only = Context.current().withCancellation();
    var begun = only.call(() -> begun(id));
    answer(begun::next);
    only.cancel(null);
    stopped(id);
  }

  private void timeout() throws Exception {
    var request = request(newId(), slow()).toBuilder().setTimeoutSeconds(1).build();
    var output = answer(() -> last(request));
    require(output.getTimedOut(), "its result does not say that it was terminated");
  }

  private void stop() throws Exception {
    var id = newId();
    var begun = begun(id);
    answer(begun::next);
    stopped(id);
    try {
      while (begun.hasNext()) {
        require(begun.next().hasProgress(), "a stopped action has a result");
      }
      throw new Promise.BrokenException("the stream of a stopped action ends well");
    } catch (StatusRuntimeException e) {
      require(
          e.getStatus().getCode() != FAILED_PRECONDITION,
          "a stopped action says that it was refused: %s",
          e.getStatus());
    }
  }

  private void stopped(String id) throws Exception {
    var request = StopActionRequest.newBuilder().setPodName(agent.pod()).setOperationId(id).build();
    var steps = agent.calls().stopAction(request);
    while (true) {
      var more = answer(steps::hasNext);
      require(more, "the stream of StopAction ends without an answer");
      var step = steps.next();
      if (step.hasDone()) {
        return;
      }
      isProgress(step.getProgress());
    }
  }
}
