package io.middleware.engine.workflows.request;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;

/**
 * Which plan may begin; the same value as in the annotation {@code middleware.io/approve}.
 *
 * @param hash as {@code status.plan} shows it; empty when the request is not readable
 * @param problem why the request is not readable; empty when it is
 */
public record ApproveRequest(@JsonValue String hash, Optional<String> problem)
    implements OperatorRequest {

  /** A readable request. */
  public ApproveRequest(String hash) {
    this(hash, Optional.empty());
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static ApproveRequest of(Object json) {
    return json instanceof String hash
        ? new ApproveRequest(hash)
        : new ApproveRequest("", Optional.of(unreadable(json)));
  }

  private static String unreadable(Object json) {
    return OperatorInput.refusal("cannot read " + OperatorInput.quoted(json), "\"<hash>\"");
  }
}
