package io.middleware.engine.watcher.roles;

import java.util.concurrent.DelayQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** The pods that are to be asked, each when its time has come. */
final class RolePollQueue {
  private final DelayQueue<PodRole> pods = new DelayQueue<>();
  private final LongSupplier nanoTime;

  RolePollQueue(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  long now() {
    return nanoTime.getAsLong();
  }

  int size() {
    return pods.size();
  }

  /** In place of the time it had, if any. */
  void put(PodRole pod, long due) {
    pods.remove(pod);
    pod.due = due;
    pods.add(pod);
  }

  /** Some time before it would be asked if nothing moved: many that begin together are spread. */
  void addAtRandom(PodRole pod) {
    put(pod, now() + ThreadLocalRandom.current().nextLong(RolePollIntervals.QUIET));
  }

  void remove(PodRole pod) {
    pods.remove(pod);
  }

  /** Waits for the next whose time has come, and takes it off. */
  PodRole take() throws InterruptedException {
    return pods.take();
  }

  /** The next whose time has come, taken off; null when there is none. */
  PodRole poll() {
    return pods.poll();
  }
}
