package io.middleware.engine.workflows.request;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Optional;

/**
 * What an operator asks of a change. It may be any JSON: an exception where it is read would be
 * told in a parser's words.
 */
public sealed interface OperatorRequest
    permits ApproveRequest, CancelRequest, ChangeScope, RetryRequest {

  /** Why it cannot be read and is to be refused; empty when it can. */
  @JsonIgnore
  Optional<String> problem();
}
