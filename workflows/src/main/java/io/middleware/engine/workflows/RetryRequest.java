package io.middleware.engine.workflows;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which tasks to try again; the same words as in the annotation {@code
 * middleware.io/retry-control}.
 *
 * @param retryTaskIds ids as the App's status shows them; empty when the request is not readable
 * @param resetDependencies whether the tasks that were skipped because of them are tried as well
 */
public record RetryRequest(List<String> retryTaskIds, boolean resetDependencies) {
  public RetryRequest {
    retryTaskIds = List.copyOf(retryTaskIds);
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static RetryRequest of(Object json) {
    var input = OperatorInput.of(json);
    return new RetryRequest(input.names("retryTaskIds"), input.isTrue("resetDependencies"));
  }

  String words() {
    return String.join(", ", retryTaskIds);
  }

  /** What either of the two asks for. */
  RetryRequest and(RetryRequest other) {
    return new RetryRequest(
        Stream.concat(retryTaskIds.stream(), other.retryTaskIds.stream()).distinct().toList(),
        resetDependencies || other.resetDependencies);
  }
}
