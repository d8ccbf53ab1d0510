package io.middleware.engine.worker;

import io.middleware.engine.process.StartUp;

/** Starts the worker; SIGTERM ends it. */
public final class WorkerMain {
  private WorkerMain() {}

  public static void main(String[] arguments) {
    StartUp.run(arguments, Worker::start);
  }
}
