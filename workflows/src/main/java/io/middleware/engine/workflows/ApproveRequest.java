package io.middleware.engine.workflows;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Which plan may begin; the same word as in the annotation {@code middleware.io/approve}.
 *
 * @param hash as {@code status.plan} shows it; empty when the request is not readable
 */
public record ApproveRequest(@JsonValue String hash) {

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static ApproveRequest of(Object json) {
    return new ApproveRequest(json instanceof String hash ? hash : "");
  }
}
