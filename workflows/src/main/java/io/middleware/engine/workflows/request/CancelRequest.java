package io.middleware.engine.workflows.request;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.middleware.engine.workflows.request.OperatorInput.Field;
import io.middleware.engine.workflows.request.OperatorInput.Type;
import java.util.List;
import java.util.Optional;

/**
 * Which tasks to cancel; the same JSON as in the annotation {@code middleware.io/cancel-control}.
 *
 * @param cancelTaskIds ids as the App's status shows them
 * @param problem why the request is not readable; empty when it is
 */
public record CancelRequest(List<String> cancelTaskIds, Optional<String> problem)
    implements OperatorRequest {
  public static final String EXPECTED = "{\"cancelTaskIds\": [\"<task id>\", …]}";

  public CancelRequest {
    cancelTaskIds = List.copyOf(cancelTaskIds);
  }

  /** A readable request. */
  public CancelRequest(List<String> cancelTaskIds) {
    this(cancelTaskIds, Optional.empty());
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static CancelRequest of(Object json) {
    var input = OperatorInput.of(json, EXPECTED, List.of(new Field("cancelTaskIds", Type.NAMES)));
    return new CancelRequest(input.names("cancelTaskIds"), input.problem());
  }
}
