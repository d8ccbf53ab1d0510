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
import java.util.function.Function;

/** {@inheritDoc} */
public final class ComponentChangeWorkflowImpl implements ComponentChangeWorkflow {

  @Override
  public void run(TaskRef task, RollingPolicy rolling, Boolean inline) {
    try {
      var groups = resources("open component " + task.component()).openComponent(task);
      var order = order(task, groups);
      DegradedOrderReport.send(task.change(), order.degraded());
      var groupsRun = Boolean.TRUE.equals(inline) ? inline(rolling) : asChild(rolling);
      carryOut(task, order, groupsRun);
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
      TaskRef task, ExecutionOrder order, Function<GroupRef, Promise<Void>> start) {
    for (List<String> batch : order.batches()) {
      ChildWorkflows.awaitAll(
          batch.stream().map(group -> start.apply(new GroupRef(task, group))).toList());
    }
  }

  private static Function<GroupRef, Promise<Void>> inline(RollingPolicy rolling) {
    return group -> Async.procedure(() -> GroupChange.run(group, rolling));
  }

  private static Function<GroupRef, Promise<Void>> asChild(RollingPolicy rolling) {
    return group -> start(group, rolling);
  }

  private static Promise<Void> start(GroupRef group, RollingPolicy rolling) {
    var task = group.task();
    var child =
        new Child(
            GroupChangeWorkflow.class,
            task,
            group.workflowId(),
            (task.rollback() ? "rollback of " : "")
                + "%s %s/%s".formatted(task.type().label(), task.component(), group.group()),
            List.of(group, rolling));
    return ChildWorkflows.start(child);
  }
}
