package io.middleware.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.temporal.activity.Activity;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.RetryOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeepAliveIT {
  private static final String QUEUE = "steps";

  /** A busy machine may keep a thread from its next heartbeat for some seconds. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(4);

  private final SlowStep step = new SlowStep();
  private final PausingClock clock = new PausingClock();
  private TestWorkflowEnvironment temporal;

  @BeforeEach
  void open() {
    temporal = InMemoryTemporal.with(new KeepAlive(clock));
    var worker =
        temporal.newWorker(
            QUEUE,
            WorkerOptions.newBuilder()
                .setMaxHeartbeatThrottleInterval(Duration.ofMillis(100))
                .build());
    worker.registerWorkflowImplementationTypes(OneStepImpl.class);
    worker.registerActivitiesImplementations(step);
    temporal.start();
  }

  @AfterEach
  void close() {
    temporal.close();
  }

  @Test
  void shouldStartAStepOnceThatIsSilentForLongerThanTheTimeout() {
    // Given
    step.silence = HEARTBEAT.multipliedBy(2).plusMillis(500);
    // When
    start().getResult(Void.class);
    // Then
    assertThat(step.attempts).hasValue(1);
  }

  @Test
  void shouldCancelTheStepAtItsOwnNextHeartbeat() throws InterruptedException {
    // Given
    step.silence = HEARTBEAT.multipliedBy(2);
    var run = start();
    step.begun.await();
    // When
    run.cancel();
    // Then
    assertThatThrownBy(() -> run.getResult(Void.class)).isInstanceOf(WorkflowFailedException.class);
    assertThat(step.thrown).isInstanceOf(ActivityCanceledException.class);
    assertThat(step.attempts).hasValue(1);
  }

  @Test
  void shouldInterruptAStepAfterASuspensionLongerThanTheTimeout() throws InterruptedException {
    // Given a step that sends no heartbeat itself
    step.sends = false;
    step.silence = Duration.ofSeconds(30);
    var run = start();
    step.begun.await();
    step.silence = Duration.ZERO;
    await().until(() -> clock.reads.get() > 2);
    // When
    clock.pause = HEARTBEAT.plusMillis(1);
    // Then
    run.getResult(Void.class);
    assertThat(step.attempts).hasValue(2);
    assertThat(step.detailsBefore).contains("running");
  }

  /** As {@code temporal workflow terminate}: nothing else tells a step that sends no heartbeat. */
  @Test
  void shouldInterruptAStepWhoseRunIsTerminated() throws InterruptedException {
    // Given
    step.sends = false;
    step.silence = Duration.ofSeconds(30);
    var run = start();
    step.begun.await();
    // When
    run.terminate("test");
    // Then
    await().until(() -> step.interrupted);
    assertThat(step.attempts).hasValue(1);
  }

  private WorkflowStub start() {
    var options =
        WorkflowOptions.newBuilder().setTaskQueue(QUEUE).setWorkflowId("one-step").build();
    OneStep workflow = temporal.getWorkflowClient().newWorkflowStub(OneStep.class, options);
    WorkflowClient.execute(workflow::run);
    return WorkflowStub.fromTyped(workflow);
  }

  @WorkflowInterface
  public interface OneStep {
    @WorkflowMethod
    void run();
  }

  @ActivityInterface
  public interface Step {
    void run();
  }

  public static final class OneStepImpl implements OneStep {
    @Override
    public void run() {
      Workflow.newActivityStub(
              Step.class,
              ActivityOptions.newBuilder()
                  .setStartToCloseTimeout(Duration.ofMinutes(1))
                  .setHeartbeatTimeout(HEARTBEAT)
                  .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
                  .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(2).build())
                  .build())
          .run();
    }
  }

  /** Sends one heartbeat and then blocks. */
  static final class SlowStep implements Step {
    private final AtomicInteger attempts = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private volatile Duration silence = Duration.ZERO;
    private volatile boolean sends = true;
    private volatile Optional<String> detailsBefore = Optional.empty();
    private volatile RuntimeException thrown;
    private volatile boolean interrupted;

    @Override
    public void run() {
      var duration = silence;
      attempts.incrementAndGet();
      detailsBefore = Activity.getExecutionContext().getHeartbeatDetails(String.class);
      if (sends) {
        Activity.getExecutionContext().heartbeat("calls a slow server");
      }
      begun.countDown();
      try {
        Thread.sleep(duration);
        Activity.getExecutionContext().heartbeat("is back");
      } catch (InterruptedException e) {
        interrupted = true;
        throw new IllegalStateException("interrupted", e);
      } catch (RuntimeException e) {
        thrown = e;
        throw e;
      }
    }
  }

  /** Read twice per heartbeat; once it pauses, it pauses between any two reads. */
  private static final class PausingClock implements InstantSource {
    private final AtomicInteger reads = new AtomicInteger();
    private volatile Duration pause = Duration.ZERO;

    @Override
    public Instant instant() {
      return Instant.EPOCH.plus(pause.multipliedBy(reads.incrementAndGet()));
    }
  }
}
