package io.middleware.engine.process;

import io.temporal.common.converter.DataConverterException;

/** The input of a workflow, a signal or a step cannot be read, and never will be. */
public final class UnreadableInputException extends DataConverterException {
  private static final long serialVersionUID = 1L;

  UnreadableInputException(DataConverterException cause) {
    super(cause.getMessage(), cause);
  }
}
