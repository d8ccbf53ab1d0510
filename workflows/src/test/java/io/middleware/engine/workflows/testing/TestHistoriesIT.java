package io.middleware.engine.workflows.testing;

import static io.middleware.engine.workflows.testing.FakeIntegrationTest.step;
import static java.util.Map.entry;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.workflows.history.Histories;
import io.middleware.engine.workflows.port.TaskQueues;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepPlan;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Records histories of tests with {@code -DrecordHistories=NAME}; each build replays them. */
@EnabledIfSystemProperty(named = "recordHistories", matches = ".*")
class TestHistoriesIT {
  private static final Map<String, Function<LocalEnvironment, WorkflowStub>> SCENARIOS =
      Map.ofEntries(
          entry("test", LocalEnvironment::start),
          entry("test-continued", TestHistoriesIT::continued),
          entry("test-failed", TestHistoriesIT::failed),
          entry("test-cancelled", TestHistoriesIT::cancelled),
          entry("test-load", TestHistoriesIT::withLoad),
          entry("load", TestHistoriesIT::load),
          entry("load-failed", TestHistoriesIT::failedLoad),
          entry("load-cancelled", TestHistoriesIT::cancelledLoad),
          entry("load-finished", TestHistoriesIT::finishedLoad));

  @Test
  void record() throws IOException {
    for (var scenario : SCENARIOS.entrySet()) {
      var name = scenario.getKey();
      if (Histories.isWanted(name)) {
        record(name, scenario.getValue());
      }
    }
  }

  private static void record(String name, Function<LocalEnvironment, WorkflowStub> scenario)
      throws IOException {
    try (var env =
        name.startsWith("load")
            ? new LocalEnvironment(LoadTestWorkflowImpl.class)
            : new LocalEnvironment()) {
      var run = scenario.apply(env);
      awaitEnd(run);
      var first = run.getExecution();
      Histories.write(
          name,
          env.temporal.getWorkflowClient().fetchHistory(first.getWorkflowId(), first.getRunId()));
    }
  }

  private static void awaitEnd(WorkflowStub run) {
    try {
      run.getResult(String.class);
    } catch (WorkflowFailedException recorded) {
      // as the scenario wants it
    }
  }

  private static WorkflowStub continued(LocalEnvironment env) {
    env.test.rounds = Optional.of(2);
    return env.start();
  }

  private static WorkflowStub failed(LocalEnvironment env) {
    env.test.at.put(
        "check down 1", FakeIntegrationTest.fails("CheckFailed", "check lag did not hold"));
    return env.start();
  }

  private static WorkflowStub cancelled(LocalEnvironment env) {
    env.test.at.put("ready up 1", FakeIntegrationTest::hangs);
    var run = env.start();
    await().until(() -> env.test.calls.contains("ready up 1"));
    run.cancel();
    return run;
  }

  private static WorkflowStub withLoad(LocalEnvironment env) {
    env.test.steps =
        List.of(
            new StepPlan("up", Duration.ofMinutes(1), true, true, Optional.of("good")),
            step("down"));
    return env.start();
  }

  private static WorkflowStub load(LocalEnvironment env) {
    var options =
        WorkflowOptions.newBuilder()
            .setWorkflowId(Histories.workflowId("load"))
            .setTaskQueue(TaskQueues.tests(""))
            .build();
    var run = env.temporal.getWorkflowClient().newUntypedWorkflowStub("LoadTestWorkflow", options);
    run.start(new LoadTestRequest("", "shop", "benchmark", Optional.of("uid-1"), Optional.empty()));
    return run;
  }

  private static WorkflowStub failedLoad(LocalEnvironment env) {
    env.loads.at.put("run", FakeLoads.fails("CheckFailed", "it did not hold"));
    return load(env);
  }

  private static WorkflowStub cancelledLoad(LocalEnvironment env) {
    var run = runningLoad(env);
    run.cancel();
    return run;
  }

  private static WorkflowStub finishedLoad(LocalEnvironment env) {
    var run = runningLoad(env);
    run.signal("finish");
    return run;
  }

  private static WorkflowStub runningLoad(LocalEnvironment env) {
    env.loads.at.put("run", FakeLoads::hangs);
    var run = load(env);
    await().until(() -> env.loads.calls.contains("run"));
    return run;
  }
}
