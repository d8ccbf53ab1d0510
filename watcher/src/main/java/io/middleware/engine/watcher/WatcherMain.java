package io.middleware.engine.watcher;

import io.middleware.engine.process.StartUp;

/** Starts the watcher; SIGTERM ends it. */
public final class WatcherMain {
  private WatcherMain() {}

  public static void main(String[] arguments) {
    StartUp.run(arguments, Watcher::start);
  }
}
