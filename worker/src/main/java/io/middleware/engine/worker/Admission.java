package io.middleware.engine.worker;

import io.temporal.worker.tuning.ActivitySlotInfo;
import io.temporal.worker.tuning.FixedSizeSlotSupplier;
import io.temporal.worker.tuning.SlotInfo;
import io.temporal.worker.tuning.SlotMarkUsedContext;
import io.temporal.worker.tuning.SlotPermit;
import io.temporal.worker.tuning.SlotReleaseContext;
import io.temporal.worker.tuning.SlotReserveContext;
import io.temporal.worker.tuning.SlotSupplier;
import io.temporal.worker.tuning.SlotSupplierFuture;
import io.temporal.worker.tuning.WorkflowSlotInfo;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Lets a worker finish what it has begun before it begins more: while enough runs are at work, no
 * further change is planned, and edits wait in Temporal's queues. A run is at work while it has a
 * workflow task, which lasts as long as its short steps; one that waits for pods or for people is
 * not. Runs that are stuck at work delay a plan, and do not prevent it.
 */
final class Admission {
  private final int limit;
  private final Duration longestDelay;
  private final Queue<CompletableFuture<SlotPermit>> delayed = new ArrayDeque<>();
  private int atWork;

  /**
   * @param limit runs at work, and plans in the making, with which no further plan is begun
   * @param longestDelay after which a poll for plans is let through in any case
   */
  Admission(int limit, Duration longestDelay) {
    this.limit = limit;
    this.longestDelay = longestDelay;
  }

  /** For the workflow tasks of runs, of which this many are executed at the same time. */
  SlotSupplier<WorkflowSlotInfo> runs(int slots) {
    return new Runs(new FixedSizeSlotSupplier<>(slots));
  }

  /**
   * For the activity that plans a change, from one queue. Queues that are served with the same
   * admission have the same share of it while plans wait in each.
   */
  SlotSupplier<ActivitySlotInfo> plans() {
    return new Plans();
  }

  private synchronized void begin() {
    atWork++;
  }

  private synchronized void end(SlotReleaseContext<? extends SlotInfo> context) {
    if (context.getSlotInfo() == null) {
      return; // the poll has brought no task
    }
    atWork--;
    while (atWork < limit && !delayed.isEmpty()) {
      delayed.remove().complete(new SlotPermit());
    }
  }

  private synchronized Optional<SlotPermit> admitted() {
    return atWork < limit ? Optional.of(new SlotPermit()) : Optional.empty();
  }

  private synchronized SlotSupplierFuture admit() {
    var permit = new CompletableFuture<SlotPermit>();
    if (atWork < limit) {
      permit.complete(new SlotPermit());
    } else {
      permit.completeOnTimeout(new SlotPermit(), longestDelay.toMillis(), TimeUnit.MILLISECONDS);
      delayed.removeIf(CompletableFuture::isDone);
      delayed.add(permit);
    }
    return SlotSupplierFuture.fromCompletableFuture(permit, () -> permit.cancel(false));
  }

  private final class Runs implements SlotSupplier<WorkflowSlotInfo> {
    private final SlotSupplier<WorkflowSlotInfo> slots;

    private Runs(SlotSupplier<WorkflowSlotInfo> slots) {
      this.slots = slots;
    }

    @Override
    public SlotSupplierFuture reserveSlot(SlotReserveContext<WorkflowSlotInfo> context)
        throws Exception {
      return slots.reserveSlot(context);
    }

    @Override
    public Optional<SlotPermit> tryReserveSlot(SlotReserveContext<WorkflowSlotInfo> context) {
      return slots.tryReserveSlot(context);
    }

    @Override
    public void markSlotUsed(SlotMarkUsedContext<WorkflowSlotInfo> context) {
      begin();
      slots.markSlotUsed(context);
    }

    @Override
    public void releaseSlot(SlotReleaseContext<WorkflowSlotInfo> context) {
      slots.releaseSlot(context);
      end(context);
    }

    @Override
    public Optional<Integer> getMaximumSlots() {
      return slots.getMaximumSlots();
    }
  }

  private final class Plans implements SlotSupplier<ActivitySlotInfo> {
    @Override
    public SlotSupplierFuture reserveSlot(SlotReserveContext<ActivitySlotInfo> context) {
      return admit();
    }

    @Override
    public Optional<SlotPermit> tryReserveSlot(SlotReserveContext<ActivitySlotInfo> context) {
      return admitted();
    }

    @Override
    public void markSlotUsed(SlotMarkUsedContext<ActivitySlotInfo> context) {
      begin();
    }

    @Override
    public void releaseSlot(SlotReleaseContext<ActivitySlotInfo> context) {
      end(context);
    }

    @Override
    public Optional<Integer> getMaximumSlots() {
      return Optional.of(limit);
    }
  }
}
