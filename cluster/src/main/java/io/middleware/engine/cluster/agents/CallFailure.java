package io.middleware.engine.cluster.agents;

import io.grpc.Status;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Says in plain words why a call to an agent failed, whatever the library calls it. */
final class CallFailure {
  /** The library's words for a broken connection; they come without a cause. */
  private static final Pattern BROKEN =
      Pattern.compile(
          "io exception|network closed|connection closed|connection reset|end of stream|goaway"
              + "|rst_stream|channel shutdown|transport|abrupt",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern TIMEOUT =
      Pattern.compile("deadline exceeded|deadline was exceeded", Pattern.CASE_INSENSITIVE);
  private static final Pattern FOREIGN =
      Pattern.compile("http2? (exception|status)|content-type", Pattern.CASE_INSENSITIVE);

  private CallFailure() {}

  /** A cause that the engine itself has put into plain words. */
  static final class InOwnWords extends Exception {
    private static final long serialVersionUID = 1;

    InOwnWords(String words) {
      super(words, null, false, false);
    }
  }

  /**
   * @param wanted what the agent was asked to do, such as {@code answer GetRole}
   */
  static String message(AgentEndpoint endpoint, PodState pod, String wanted, String why) {
    return "the agent of pod %s (%s:%d) failed to %s: %s"
        .formatted(pod.name(), pod.ip().orElse("no address"), endpoint.port(), wanted, why);
  }

  /**
   * The words of the agent behind its status code; in place of the library's words, the cause.
   *
   * @param policy of the call
   */
  static String why(Status status, AgentPolicy policy) {
    return causes(status)
        .flatMap(cause -> known(cause).stream())
        .findFirst()
        .or(() -> ofLibrary(status, policy))
        .orElseGet(() -> ofAgent(status));
  }

  /** For example {@code 5 s}. */
  static String inWords(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  private static Stream<Throwable> causes(Status status) {
    return Stream.iterate(status.getCause(), cause -> cause != null, Throwable::getCause).limit(16);
  }

  private static Optional<String> known(Throwable cause) {
    var message = cause.getMessage() == null ? "" : cause.getMessage();
    return Optional.ofNullable(
        switch (cause) {
          case InOwnWords own -> message;
          case ConnectException e when message.contains("timed out") -> "the connection timed out";
          case ConnectException e -> "connection refused";
          case NoRouteToHostException e -> "no route to this address";
          case SSLException e -> "TLS: " + PlainText.clean(innermost(e), 200);
          case IOException e when message.contains("unreachable") -> "no route to this address";
          case IOException e when message.contains("eset by peer") -> "the connection was lost";
          default -> null;
        });
  }

  private static String innermost(Throwable e) {
    var last = e;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    return last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
  }

  private static Optional<String> ofLibrary(Status status, AgentPolicy policy) {
    var words = status.getDescription() == null ? "" : status.getDescription();
    var why =
        switch (status.getCode()) {
          case DEADLINE_EXCEEDED ->
              says(TIMEOUT, words) ? "no answer within " + inWords(policy.deadline()) : "";
          case RESOURCE_EXHAUSTED ->
              isTooLong(status)
                  ? "its answer has more than %d bytes".formatted(policy.maxReplyBytes())
                  : "";
          case UNIMPLEMENTED -> "it does not implement this" + detail(words);
          case UNAVAILABLE, CANCELLED, INTERNAL, UNKNOWN -> brokenConnection(words);
          default -> "";
        };
    return Optional.of(why).filter(known -> !known.isEmpty());
  }

  /** Whether the library has refused the answer for its size: a repeat would be as long. */
  static boolean isTooLong(Status status) {
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED
        && status.getDescription() != null
        && status.getDescription().contains("exceeds maximum size");
  }

  private static String brokenConnection(String words) {
    if (words.contains("eader size")) {
      return "the headers of its answer are too large";
    }
    if (says(BROKEN, words)) {
      return "the connection was lost";
    }
    return says(FOREIGN, words)
        ? "the server at this address does not speak gRPC, so it is not an agent"
        : "";
  }

  private static String detail(String words) {
    var known = words.isBlank() || words.startsWith("Method not found") || says(FOREIGN, words);
    return known ? "" : ": " + PlainText.clean(words);
  }

  private static boolean says(Pattern pattern, String words) {
    return pattern.matcher(words).find();
  }

  private static String ofAgent(Status status) {
    var words = status.getDescription() == null ? "" : PlainText.clean(status.getDescription());
    return status.getCode() + (words.isEmpty() ? ", without a reason" : ": " + words);
  }
}
