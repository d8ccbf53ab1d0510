package io.middleware.engine.workflows.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.middleware.engine.workflows.port.OperationRef;
import java.util.Objects;
import java.util.Optional;

/**
 * The request to carry out an Operation.
 *
 * @param edit the request of an edit that arrived in an earlier run of the Operation, and that is
 *     carried out after it
 */
public record OperationRequest(
    OperationRef ref, @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<ChangeRequest> edit) {
  public OperationRequest {
    edit = Objects.requireNonNullElse(edit, Optional.empty());
  }

  /** An Operation that no run has begun. */
  public OperationRequest(OperationRef ref) {
    this(ref, Optional.empty());
  }

  /** The same Operation, with an edit that arrived after the one that it knows. */
  public OperationRequest and(ChangeRequest later) {
    return new OperationRequest(
        ref,
        edit.filter(known -> !later.overtakes(known))
            .or(() -> Optional.of(edit.map(later::insteadOf).orElse(later))));
  }
}
