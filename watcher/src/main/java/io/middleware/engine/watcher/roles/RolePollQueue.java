package io.middleware.engine.watcher.roles;

import java.util.concurrent.DelayQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** The pods to poll, each at its due time. */
final class RolePollQueue {
  final DelayQueue<PodRole> pods = new DelayQueue<>();
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

  /** Schedules the pod, in place of its earlier time if it had one. */
  void put(PodRole pod, long due) {
    pods.remove(pod);
    pod.due = due;
    pods.add(pod);
  }

  /** Schedules the pod at a random time soon, to spread pods after a start. */
  void addAtRandom(PodRole pod) {
    put(pod, now() + ThreadLocalRandom.current().nextLong(RolePollIntervals.first(size())));
  }

  void remove(PodRole pod) {
    pods.remove(pod);
  }

  /** Waits for the next pod that is due, and removes it. */
  PodRole take() throws InterruptedException {
    return pods.take();
  }
}
