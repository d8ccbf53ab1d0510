package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ActivityPolicy.brief;
import static io.middleware.engine.workflows.ActivityPolicy.question;

import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.workflows.ChildWorkflows.Child;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.OrderingActivities.GroupOrderRequest;
import io.middleware.engine.workflows.port.ResourceActivities;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.List;

/** {@inheritDoc} */
public final class ComponentChangeWorkflowImpl implements ComponentChangeWorkflow {

  @Override
  public void run(TaskRef task, RollingPolicy rolling, Boolean inline) {
    try {
      var groups = resources("open component " + task.component()).openComponent(task);
      var order = order(task, groups);
      DegradedOrderReport.send(task.change(), order.degraded());
      carryOut(task, rolling, Boolean.TRUE.equals(inline), order);
      resources("settle component " + task.component()).settleComponent(task);
    } catch (TemporalFailure e) {
      throw FailureCauses.clean(e);
    }
  }

  private static ExecutionOrder order(TaskRef task, List<String> groups) {
    var request = new GroupOrderRequest(task, groups);
    var summary = "group order of " + task.component();
    var atOnce =
        Workflow.newLocalActivityStub(OrderingActivities.class, brief(summary)).groupOrder(request);
    return atOnce.unanswered()
        ? Workflow.newActivityStub(OrderingActivities.class, question("wait for the " + summary))
            .awaitGroupOrder(request)
        : atOnce;
  }

  private static ResourceActivities resources(String summary) {
    return Workflow.newLocalActivityStub(ResourceActivities.class, brief(summary));
  }

  /** Batch by batch; throws the first failure of a batch when all its groups have ended. */
  private static void carryOut(
      TaskRef task, RollingPolicy rolling, boolean inline, ExecutionOrder order) {
    for (List<String> batch : order.batches()) {
      ChildWorkflows.awaitAll(
          batch.stream().map(group -> start(new GroupRef(task, group), rolling, inline)).toList());
    }
  }

  private static Promise<Void> start(GroupRef group, RollingPolicy rolling, boolean inline) {
    return inline
        ? Async.procedure(() -> GroupChange.run(group, rolling))
        : ChildWorkflows.start(child(group, rolling));
  }

  private static Child child(GroupRef group, RollingPolicy rolling) {
    var task = group.task();
    return new Child(
        GroupChangeWorkflow.class,
        task,
        group.workflowId(),
        (task.rollback() ? "rollback of " : "")
            + "%s %s/%s".formatted(task.type().label(), task.component(), group.group()),
        List.of(group, rolling));
  }
}
