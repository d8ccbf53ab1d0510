package io.middleware.engine.cluster.agents;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import java.util.function.BiFunction;

/** The result of an action that an agent was asked for. */
public sealed interface ActionOutcome<T> {
  /** The action is done. */
  record ActionDone<T>(T value) implements ActionOutcome<T> {}

  /**
   * The middleware refuses; a retry would not help.
   *
   * @param why names the agent and quotes its message
   */
  record ActionRefused<T>(String why) implements ActionOutcome<T> {}

  /** The agent does not implement the action. */
  record ActionUnknown<T>(String why) implements ActionOutcome<T> {}

  /** Every attempt failed without an answer: the action may be done or not. */
  record ActionUnanswered<T>(String why) implements ActionOutcome<T> {}

  /** Whether an action of the Plugin has succeeded. */
  static boolean endedWell(ActionOutput output) {
    return output.getExitCode() == 0 && !output.getTimedOut();
  }

  /**
   * The value of an action that is done.
   *
   * @param remedy for an agent that does not implement the action, as the end of a message
   * @param failure of kind AGENT_REFUSED or AGENTS_UNAVAILABLE, and why
   */
  default T orThrow(String remedy, BiFunction<FaultKind, String, RuntimeException> failure) {
    return switch (this) {
      case ActionDone<T>(var value) -> value;
      case ActionRefused<T>(var why) -> throw failure.apply(FaultKind.AGENT_REFUSED, why);
      case ActionUnknown<T>(var why) -> throw failure.apply(FaultKind.AGENT_REFUSED, why + remedy);
      case ActionUnanswered<T>(var why) -> throw failure.apply(FaultKind.AGENTS_UNAVAILABLE, why);
    };
  }
}
