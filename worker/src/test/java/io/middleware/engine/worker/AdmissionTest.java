package io.middleware.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.temporal.worker.tuning.ActivitySlotInfo;
import io.temporal.worker.tuning.SlotInfo;
import io.temporal.worker.tuning.SlotMarkUsedContext;
import io.temporal.worker.tuning.SlotPermit;
import io.temporal.worker.tuning.SlotReleaseContext;
import io.temporal.worker.tuning.SlotReleaseReason;
import io.temporal.worker.tuning.SlotSupplier;
import io.temporal.worker.tuning.SlotSupplierFuture;
import io.temporal.worker.tuning.WorkflowSlotInfo;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final WorkflowSlotInfo RUN =
      new WorkflowSlotInfo(
          "AppChangeWorkflow", "engine", "app/shop/cache", "run", "worker", "", false);

  private final Admission admission = new Admission(2, Duration.ofMinutes(1));
  private final SlotSupplier<WorkflowSlotInfo> runs = admission.runs(10);
  private final SlotSupplier<ActivitySlotInfo> plans = admission.plans();

  @Test
  void shouldAdmitAPlanWhileThereIsRoom() throws Exception {
    // When
    begin(runs, RUN);

    // Then
    assertThat(plans.reserveSlot(null)).isDone();
  }

  @Test
  void shouldHoldAPlanBackUntilARunHasDoneItsWork() throws Exception {
    // Given
    begin(runs, RUN);
    begin(runs, RUN);
    var plan = plans.reserveSlot(null);
    assertThat(plan).isNotDone();

    // When
    runs.releaseSlot(new Released<>(RUN));

    // Then
    assertThat(plan).isDone();
  }

  @Test
  void shouldAdmitThePlansOfAllQueuesAlike() throws Exception {
    // Given
    begin(runs, RUN);
    begin(runs, RUN);
    var edit = plans.reserveSlot(null);
    var nextEdit = plans.reserveSlot(null);
    var newApp = admission.plans().reserveSlot(null);

    // When
    runs.releaseSlot(new Released<>(RUN));

    // Then
    assertThat(edit).isDone();
    assertThat(nextEdit).isDone();
    assertThat(newApp).isDone();
  }

  @Test
  void shouldNotCountAPollThatBringsNothing() throws Exception {
    // Given
    begin(runs, RUN);
    begin(runs, RUN);
    var plan = plans.reserveSlot(null);

    // When
    runs.releaseSlot(new Released<>(null));

    // Then
    assertThat(plan).isNotDone();
  }

  @Test
  void shouldCountPlansInTheMaking() throws Exception {
    // When
    plans.markSlotUsed(null);
    plans.markSlotUsed(null);

    // Then
    assertThat(plans.reserveSlot(null)).isNotDone();
    assertThat(plans.tryReserveSlot(null)).isEmpty();
  }

  @Test
  void shouldAdmitAPlanAtLastWhenRunsAreStuck() throws Exception {
    // Given
    var impatient = new Admission(1, Duration.ofMillis(1));
    begin(impatient.runs(10), RUN);

    // When
    var plan = impatient.plans().reserveSlot(null);

    // Then
    await().until(plan::isDone);
  }

  @Test
  void shouldNotSpendAPermitOnAPollThatHasEnded() throws Exception {
    // Given
    begin(runs, RUN);
    begin(runs, RUN);
    SlotSupplierFuture ended = plans.reserveSlot(null);
    var plan = plans.reserveSlot(null);

    // When
    assertThat(ended.abortReservation()).isNull();
    runs.releaseSlot(new Released<>(RUN));

    // Then
    assertThat(plan).isDone();
  }

  private static void begin(SlotSupplier<WorkflowSlotInfo> runs, WorkflowSlotInfo run) {
    runs.markSlotUsed(new Used(run));
  }

  private record Used(WorkflowSlotInfo slotInfo) implements SlotMarkUsedContext<WorkflowSlotInfo> {
    @Override
    public WorkflowSlotInfo getSlotInfo() {
      return slotInfo;
    }

    @Override
    public SlotPermit getSlotPermit() {
      return new SlotPermit();
    }
  }

  private record Released<T extends SlotInfo>(T slotInfo) implements SlotReleaseContext<T> {
    @Override
    public SlotReleaseReason getSlotReleaseReason() {
      return SlotReleaseReason.taskComplete();
    }

    @Override
    public SlotPermit getSlotPermit() {
      return new SlotPermit();
    }

    @Override
    public T getSlotInfo() {
      return slotInfo;
    }
  }
}
