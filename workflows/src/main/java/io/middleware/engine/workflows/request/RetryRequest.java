package io.middleware.engine.workflows.request;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.middleware.engine.workflows.request.OperatorInput.Field;
import io.middleware.engine.workflows.request.OperatorInput.Type;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which tasks to retry; the same JSON as in the annotation {@code middleware.io/retry-control}.
 *
 * @param retryTaskIds ids as the App's status shows them
 * @param resetDependencies whether tasks that were skipped because of them are retried as well
 * @param problem why the request is not readable; empty when it is
 */
public record RetryRequest(
    List<String> retryTaskIds, boolean resetDependencies, Optional<String> problem)
    implements OperatorRequest {
  public static final String EXPECTED =
      "{\"retryTaskIds\": [\"<task id>\", …], \"resetDependencies\": false}";

  private static final List<Field> FORM =
      List.of(new Field("retryTaskIds", Type.NAMES), new Field("resetDependencies", Type.FLAG));

  public RetryRequest {
    retryTaskIds = List.copyOf(retryTaskIds);
  }

  /** A readable request. */
  public RetryRequest(List<String> retryTaskIds, boolean resetDependencies) {
    this(retryTaskIds, resetDependencies, Optional.empty());
  }

  /** All tasks of a plan that is made anew. */
  public static RetryRequest all() {
    return new RetryRequest(List.of("all tasks"), true);
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static RetryRequest of(Object json) {
    var input = OperatorInput.of(json, EXPECTED, FORM);
    return new RetryRequest(
        input.names("retryTaskIds"), input.isTrue("resetDependencies"), input.problem());
  }

  /** The ids in one line. */
  public String ids() {
    return String.join(", ", retryTaskIds);
  }

  /** The tasks of both requests. */
  RetryRequest and(RetryRequest other) {
    return new RetryRequest(
        Stream.concat(retryTaskIds.stream(), other.retryTaskIds.stream()).distinct().toList(),
        resetDependencies || other.resetDependencies);
  }
}
