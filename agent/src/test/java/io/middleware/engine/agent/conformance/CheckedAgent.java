package io.middleware.engine.agent.conformance;

import static io.middleware.engine.agent.conformance.Promise.notApplicable;
import static io.middleware.engine.agent.conformance.Promise.require;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.proto.agent.v1.Agent2Grpc;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;

/**
 * An agent, and what a check may do with it.
 *
 * @param pod its name; empty: not known, and what needs it is left out
 * @param questions that it answers
 * @param action that ends by itself, and prints something else each time; empty: none
 * @param longAction that runs until it is stopped; empty: none
 * @param parameters that a reload may set; empty: nothing is changed, and what changes the pod is
 *     left out
 * @param longest time of a question
 * @param silence the longest time between two messages of an action
 */
public record CheckedAgent(
    ManagedChannel channel,
    String pod,
    List<String> questions,
    String action,
    String longAction,
    Map<String, String> parameters,
    Duration longest,
    Duration silence) {

  /** The time that the protocol gives a question. */
  public static final Duration LONGEST_QUESTION = Duration.ofSeconds(5);

  /** The time that the protocol allows between two messages. */
  public static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

  Agent2Grpc.Agent2BlockingStub orders() {
    return Agent2Grpc.newBlockingStub(channel).withDeadlineAfter(longest.toMillis(), MILLISECONDS);
  }

  ToolInvokerGrpc.ToolInvokerBlockingStub questionsOf() {
    return calls().withDeadlineAfter(longest.toMillis(), MILLISECONDS);
  }

  /** Without a limit, as actions have none. */
  ToolInvokerGrpc.ToolInvokerBlockingStub calls() {
    return ToolInvokerGrpc.newBlockingStub(channel);
  }

  void mayChange() {
    if (parameters.isEmpty()) {
      throw notApplicable("it changes the pod: allow it with --reload NAME=VALUE");
    }
  }

  /** An id that no operation has. */
  static String newId() {
    return "agent-check-" + UUID.randomUUID();
  }

  /** The status of a call that must fail with one of these; a method may always be missing. */
  static void fails(Callable<?> call, Status.Code... allowed) throws Exception {
    try {
      var answer = call.call();
      throw new Promise.BrokenException(
          "it answers '%s', but must fail with %s"
              .formatted(String.valueOf(answer).strip(), Arrays.toString(allowed)));
    } catch (StatusRuntimeException e) {
      var code = e.getStatus().getCode();
      if (code == Status.Code.UNIMPLEMENTED && !List.of(allowed).contains(code)) {
        throw notApplicable("the agent does not have this method");
      }
      require(
          List.of(allowed).contains(code),
          "it fails with %s, but must fail with %s",
          e.getStatus(),
          Arrays.toString(allowed));
    }
  }

  /** The answer; a status that the protocol allows instead means that there is none to look at. */
  static <T> T answer(Callable<T> call) throws Exception {
    try {
      return call.call();
    } catch (StatusRuntimeException e) {
      Set<Status.Code> allowed =
          EnumSet.of(
              Status.Code.UNAVAILABLE, Status.Code.FAILED_PRECONDITION, Status.Code.UNIMPLEMENTED);
      require(
          allowed.contains(e.getStatus().getCode()),
          "it fails with %s, but only %s are statuses of an agent that does not answer",
          e.getStatus(),
          allowed);
      throw notApplicable("the agent answers " + e.getStatus());
    }
  }
}
