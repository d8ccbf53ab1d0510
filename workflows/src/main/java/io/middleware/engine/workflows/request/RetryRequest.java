package io.middleware.engine.workflows.request;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.middleware.engine.workflows.request.OperatorInput.Field;
import io.middleware.engine.workflows.request.OperatorInput.Type;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which tasks to try again; the same words as in the annotation {@code
 * middleware.io/retry-control}.
 *
 * @param retryTaskIds ids as the App's status shows them
 * @param resetDependencies whether the tasks that were skipped because of them are tried as well
 * @param problem why the request is not readable; empty when it is
 */
public record RetryRequest(
    List<String> retryTaskIds, boolean resetDependencies, Optional<String> problem)
    implements OperatorRequest {
  public static final String WANTED =
      "{\"retryTaskIds\": [\"<task id>\", …], \"resetDependencies\": false}";

  private static final List<Field> FORM =
      List.of(new Field("retryTaskIds", Type.NAMES), new Field("resetDependencies", Type.FLAG));

  public RetryRequest {
    retryTaskIds = List.copyOf(retryTaskIds);
  }

  /** A readable one. */
  public RetryRequest(List<String> retryTaskIds, boolean resetDependencies) {
    this(retryTaskIds, resetDependencies, Optional.empty());
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static RetryRequest of(Object json) {
    var input = OperatorInput.of(json, WANTED, FORM);
    return new RetryRequest(
        input.names("retryTaskIds"), input.isTrue("resetDependencies"), input.problem());
  }

  public String words() {
    return String.join(", ", retryTaskIds);
  }

  /** What either of the two asks for. */
  RetryRequest and(RetryRequest other) {
    return new RetryRequest(
        Stream.concat(retryTaskIds.stream(), other.retryTaskIds.stream()).distinct().toList(),
        resetDependencies || other.resetDependencies);
  }
}
