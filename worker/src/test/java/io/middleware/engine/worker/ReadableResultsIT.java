package io.middleware.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.process.PayloadConverter;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody completes an activity with a result that it never has. */
class ReadableResultsIT {
  private static final String QUEUE = "results";

  /** What {@code temporal activity complete} gives instead of the activity. */
  private final AtomicReference<Object> result = new AtomicReference<>();

  private TestWorkflowEnvironment temporal;

  @BeforeEach
  void open() {
    temporal =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setWorkflowClientOptions(
                    WorkflowClientOptions.newBuilder()
                        .setDataConverter(PayloadConverter.create())
                        .build())
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder()
                        .setWorkerInterceptors(new ReadableResults())
                        .build())
                .build());
    var worker = temporal.newWorker(QUEUE);
    worker.registerWorkflowImplementationTypes(StepsImpl.class);
    worker.registerActivitiesImplementations(
        new AnyResult() {
          @Override
          public Object measure() {
            return result.get();
          }

          @Override
          public void act() {}
        });
    temporal.start();
  }

  @AfterEach
  void close() {
    temporal.close();
  }

  @Test
  void shouldLeaveResultsAlone() {
    result.set(new Measured("7"));
    assertThat(run().getResult(String.class)).isEqualTo("7");
  }

  @Test
  void shouldFailAStepThatHasNoResult() {
    assertFails();
  }

  @Test
  void shouldFailAStepWhoseResultCannotBeRead() {
    result.set("by hand");
    assertFails();
  }

  private void assertFails() {
    var run = run();
    assertThatThrownBy(() -> run.getResult(4, TimeUnit.MINUTES, String.class))
        .isInstanceOf(WorkflowFailedException.class)
        .cause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FaultKind.INVALID.label());
              assertThat(failure.getOriginalMessage()).contains("step Measure", "by hand");
            });
  }

  private WorkflowStub run() {
    var options = WorkflowOptions.newBuilder().setTaskQueue(QUEUE).build();
    var run = temporal.getWorkflowClient().newWorkflowStub(Steps.class, options);
    WorkflowClient.start(run::run);
    return WorkflowStub.fromTyped(run);
  }

  public record Measured(String value) {}

  /** The same activities, which may return anything. */
  @ActivityInterface
  public interface AnyResult {
    @ActivityMethod(name = "Measure")
    Object measure();

    @ActivityMethod(name = "Act")
    void act();
  }

  @ActivityInterface
  public interface Activities {
    @ActivityMethod(name = "Measure")
    Measured measure();

    @ActivityMethod(name = "Act")
    void act();
  }

  @WorkflowInterface
  public interface Steps {
    @WorkflowMethod
    String run();
  }

  public static final class StepsImpl implements Steps {
    private final Activities activities =
        Workflow.newActivityStub(
            Activities.class,
            ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofSeconds(10)).build());

    @Override
    public String run() {
      activities.act();
      return activities.measure().value();
    }
  }
}
