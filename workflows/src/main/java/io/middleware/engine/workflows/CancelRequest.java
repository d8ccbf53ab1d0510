package io.middleware.engine.workflows;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.List;

/**
 * Which tasks to cancel; the same words as in the annotation {@code middleware.io/cancel-control}.
 *
 * @param cancelTaskIds ids as the App's status shows them; empty when the request is not readable
 */
public record CancelRequest(List<String> cancelTaskIds) {
  public CancelRequest {
    cancelTaskIds = List.copyOf(cancelTaskIds);
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static CancelRequest of(Object json) {
    return new CancelRequest(OperatorInput.of(json).names("cancelTaskIds"));
  }
}
