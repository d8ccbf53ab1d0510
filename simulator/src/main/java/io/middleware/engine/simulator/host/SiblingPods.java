package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The last observed pods of one pod's group. */
final class SiblingPods {
  private final String uid;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private List<Pod> pods;

  SiblingPods(Pod self) {
    this.uid = self.getMetadata().getUid();
    this.pods = List.of(self);
  }

  String uid() {
    return uid;
  }

  void update(List<Pod> now) {
    lock.lock();
    try {
      pods = List.copyOf(now);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  List<Pod> all() {
    lock.lock();
    try {
      return pods;
    } finally {
      lock.unlock();
    }
  }

  /** The pod itself; empty when it is gone. */
  Optional<Pod> self() {
    return all().stream().filter(pod -> pod.getMetadata().getUid().equals(uid)).findFirst();
  }

  /** Returns whether the pods changed within this time. */
  boolean awaitChange(Duration atMost) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      return changed.awaitNanos(atMost.toNanos()) > 0;
    } finally {
      lock.unlock();
    }
  }
}
