package io.middleware.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.process.PayloadConverter;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.UpdateMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody starts, signals or updates a run with something that nobody can read. */
class UnreadableInputIT {
  private static final String QUEUE = "inputs";

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
                .build());
    temporal
        .newWorker(QUEUE)
        .registerWorkflowImplementationTypes(
            TemporalWorkers.failingWithoutInput(), CountingImpl.class);
    temporal.start();
  }

  @AfterEach
  void close() {
    temporal.close();
  }

  @Test
  void shouldFailTheRun() {
    // Given
    var run = start("no number");
    // When Then
    assertThatThrownBy(() -> run.getResult(4, TimeUnit.MINUTES, Integer.class))
        .isInstanceOf(WorkflowFailedException.class)
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getOriginalMessage()).contains("no number"));
  }

  @Test
  void shouldNotDisturbARunThatHasBegun() {
    // Given
    var run = start(2);
    // When
    run.signal("add", "no number");
    assertThatThrownBy(() -> run.update("addNow", Integer.class, "no number"))
        .isInstanceOf(WorkflowUpdateException.class);
    run.signal("add", 3);
    // Then
    assertThat(run.getResult(Integer.class)).isEqualTo(5);
  }

  private WorkflowStub start(Object input) {
    var client = temporal.getWorkflowClient();
    var options = WorkflowOptions.newBuilder().setTaskQueue(QUEUE).build();
    var run = client.newWorkflowStub(AnyInput.class, options);
    WorkflowClient.execute(run::run, input);
    return WorkflowStub.fromTyped(run);
  }

  /** The same workflow, of a client that can send anything. */
  @WorkflowInterface
  public interface AnyInput {
    @WorkflowMethod(name = "Counting")
    int run(Object start);
  }

  @WorkflowInterface
  public interface Counting {
    @WorkflowMethod
    int run(Integer start);

    @SignalMethod
    void add(Integer more);

    @UpdateMethod
    int addNow(Integer more);
  }

  public static final class CountingImpl implements Counting {
    private int added;

    @Override
    public int run(Integer start) {
      Workflow.await(() -> added > 0);
      return start + added;
    }

    @Override
    public void add(Integer more) {
      added += more;
    }

    @Override
    public int addNow(Integer more) {
      added += more;
      return added;
    }
  }
}
