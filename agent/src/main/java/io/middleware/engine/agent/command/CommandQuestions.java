package io.middleware.engine.agent.command;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The questions that commands answer: each is asked at the moment of the call, and changes nothing.
 */
record CommandQuestions(KnownCommands commands) {
  /** The question whether this pod may stop now, see {@link #answer}. */
  static final String SAFE_TO_STOP = "safe-to-stop";

  private static final String MEASURE = "measure-";
  private static final String ROLE = "role";
  private static final String ORDER = "order";
  private static final Set<String> ONE_OF_A_KIND = Set.of(ROLE, ORDER, SAFE_TO_STOP);
  private static final int LONGEST_ANSWER = 256;

  /** Whether a file of this name answers a question. */
  static boolean isOne(String name) {
    return name.startsWith(MEASURE) || ONE_OF_A_KIND.contains(name);
  }

  /**
   * UNAVAILABLE, whatever the reason is: a role is never guessed.
   *
   * @param limit after which the command is killed
   */
  PrintedRole role(Duration limit) {
    try {
      return commands
          .find(ROLE)
          .map(command -> PrintedRole.of(ask(command, CommandInput.question(limit))))
          .orElse(PrintedRole.NONE);
    } catch (StatusRuntimeException e) {
      throw Status.UNAVAILABLE
          .withDescription(e.getStatus().getDescription())
          .withCause(e)
          .asRuntimeException();
    }
  }

  /**
   * The answer to a question of a check: what the command {@code measure-<question>} prints. To
   * {@value #SAFE_TO_STOP} it is {@code yes}, or {@code no: } and the reason.
   */
  String answer(String question) {
    return question.equals(SAFE_TO_STOP) ? safeToStop() : measure(question);
  }

  private String safeToStop() {
    var answer = ask(find(SAFE_TO_STOP), CommandInput.question());
    if (answer.timedOut()) {
      throw answer.failure(Status.UNAVAILABLE);
    }
    return answer.succeeded() ? "yes" : shortened("no: " + answer.why());
  }

  private String measure(String question) {
    var answer = ask(find(MEASURE + question), CommandInput.question());
    if (answer.exitCode() == CommandAnswer.NOT_NOW && !answer.timedOut()) {
      throw answer.failure(Status.FAILED_PRECONDITION);
    }
    var text = answer.outputOrThrow().strip();
    if (text.isEmpty() || text.length() > LONGEST_ANSWER || text.indexOf('\n') >= 0) {
      throw answer.unusable(
          Status.FAILED_PRECONDITION,
          "one line of at most %d characters".formatted(LONGEST_ANSWER));
    }
    return text;
  }

  private CommandFile find(String name) {
    return commands
        .find(name)
        .orElseThrow(
            () ->
                Status.FAILED_PRECONDITION
                    .withDescription(
                        "this agent does not know the question: there is no file %s in %s, which has %s"
                            .formatted(name, commands.folder().folder(), questions()))
                    .asRuntimeException());
  }

  private List<String> questions() {
    Predicate<String> question = CommandQuestions::isOne;
    return commands.folder().names().stream().filter(question).toList();
  }

  static CommandAnswer ask(CommandFile command, CommandInput input) {
    try {
      return command.call(input, (message, percent) -> {});
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.UNAVAILABLE
          .withDescription("the agent is being stopped")
          .withCause(e)
          .asRuntimeException();
    }
  }

  private static String shortened(String text) {
    return text.substring(0, Math.min(text.length(), LONGEST_ANSWER));
  }
}
