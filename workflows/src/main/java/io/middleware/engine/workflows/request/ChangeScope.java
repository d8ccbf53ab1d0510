package io.middleware.engine.workflows.request;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.middleware.engine.workflows.request.OperatorInput.Field;
import io.middleware.engine.workflows.request.OperatorInput.Type;
import java.util.List;
import java.util.Optional;

/**
 * Which change a request is for.
 *
 * @param generation that it carries out; empty means the running change
 * @param problem why the request is not readable; empty when it is
 */
public record ChangeScope(Optional<Long> generation, Optional<String> problem)
    implements OperatorRequest {

  /** The change of this generation, or the running one. */
  public ChangeScope(Optional<Long> generation) {
    this(generation, Optional.empty());
  }

  /** The change of this generation and no later one. */
  public static ChangeScope of(long generation) {
    return new ChangeScope(Optional.of(generation));
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static ChangeScope of(Object json) {
    var input =
        OperatorInput.of(
            json, "nothing or {\"generation\": 6}", List.of(new Field("generation", Type.NUMBER)));
    return new ChangeScope(input.number("generation"), input.problem());
  }
}
