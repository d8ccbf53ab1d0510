package io.middleware.engine.agent.command;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** A command has ended with another exit code than 0 while its stream was read or written. */
final class CommandFailedException extends StatusRuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  CommandFailedException(int exitCode, Status status) {
    super(status);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
