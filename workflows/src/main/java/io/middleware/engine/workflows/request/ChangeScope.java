package io.middleware.engine.workflows.request;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.middleware.engine.workflows.request.OperatorInput.Field;
import io.middleware.engine.workflows.request.OperatorInput.Type;
import java.util.List;
import java.util.Optional;

/**
 * Which change a request is for; without any field, the running one.
 *
 * @param generation that it carries out
 * @param operation name or uid of the Operation that it carries out
 * @param problem why the request is not readable; empty when it is
 */
public record ChangeScope(
    Optional<Long> generation,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> operation,
    Optional<String> problem)
    implements OperatorRequest {

  /** The change of this generation, or the running one. */
  public ChangeScope(Optional<Long> generation) {
    this(generation, Optional.empty(), Optional.empty());
  }

  /** The Operation of this uid. */
  public static ChangeScope ofOperation(String uid) {
    return new ChangeScope(Optional.empty(), Optional.of(uid), Optional.empty());
  }

  /** The change of this generation and no later one. */
  public static ChangeScope of(long generation) {
    return new ChangeScope(Optional.of(generation));
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static ChangeScope of(Object json) {
    var input =
        OperatorInput.of(
            json,
            "nothing, {\"generation\": 6} or {\"operation\": \"restart-1\"}",
            List.of(new Field("generation", Type.NUMBER), new Field("operation", Type.TEXT)));
    return new ChangeScope(input.number("generation"), input.text("operation"), input.problem());
  }
}
