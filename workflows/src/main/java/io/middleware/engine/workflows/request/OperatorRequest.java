package io.middleware.engine.workflows.request;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Optional;

/**
 * An operator's request to a change. It may be any JSON: it is read without exceptions, which would
 * carry a parser's message.
 */
public sealed interface OperatorRequest
    permits ApproveRequest, CancelRequest, ChangeScope, RetryRequest {

  /** Why the request cannot be read and must be refused; empty when it can be read. */
  @JsonIgnore
  Optional<String> problem();
}
