package io.middleware.engine.watcher;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A limited number of virtual threads that end when they are idle: a thread keeps its stack and its
 * buffers, some 10 KiB, as long as it lives.
 */
final class IdleThreads {
  private static final Duration IDLE = Duration.ofSeconds(10);

  private IdleThreads() {}

  /**
   * @param most at once; more tasks wait
   * @param name of the threads, before their number
   */
  static ThreadPoolExecutor upTo(int most, String name) {
    return upTo(most, name, IDLE);
  }

  static ThreadPoolExecutor upTo(int most, String name, Duration idle) {
    var threads =
        new ThreadPoolExecutor(
            most,
            most,
            idle.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofVirtual().name(name, 0).factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
