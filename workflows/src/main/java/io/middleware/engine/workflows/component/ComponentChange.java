package io.middleware.engine.workflows.component;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.brief;
import static io.middleware.engine.workflows.temporal.ActivityPolicy.question;
import static io.middleware.engine.workflows.temporal.ActivityPolicy.waiting;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.TaskHook;
import io.middleware.engine.api.task.TaskHooks;
import io.middleware.engine.workflows.port.ActionActivities;
import io.middleware.engine.workflows.port.ActionActivities.HookRequest;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OpenedComponent;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.OrderingActivities.GroupOrderRequest;
import io.middleware.engine.workflows.port.ResourceActivities;
import io.middleware.engine.workflows.port.TaskRef;
import io.middleware.engine.workflows.temporal.ChildWorkflows;
import io.middleware.engine.workflows.temporal.ChildWorkflows.Child;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.List;
import java.util.function.Consumer;

/** Carries out one task: its component's groups in the agents' order. */
public final class ComponentChange {
  private final TaskRef task;
  private final GroupPolicy policy;
  private final TaskHooks hooks;
  private final Consumer<String> degraded;

  /**
   * @param degraded told why an order is not the agents' own
   */
  public ComponentChange(
      TaskRef task, GroupPolicy policy, TaskHooks hooks, Consumer<String> degraded) {
    this.task = task;
    this.policy = policy;
    this.hooks = hooks;
    this.degraded = degraded;
  }

  public void run() {
    var opened = resources("open component " + task.component()).openComponent(task);
    if (task.type() == ChangeType.ROTATE_SECRETS) {
      new SecretRotation(task).run();
    } else {
      changeGroups(opened);
    }
    CheckStep.after(task);
    if (!task.change().shared()) {
      resources("settle component " + task.component()).settleComponent(task);
    }
  }

  private void changeGroups(OpenedComponent opened) {
    var order = order(opened);
    order.degraded().ifPresent(degraded);
    hooks.before().ifPresent(hook -> runHook(hook, order));
    carryOut(order);
    hooks.after().ifPresent(hook -> runHook(hook, order));
  }

  /** Usually the agents answer at once, while the component is opened. */
  private ExecutionOrder order(OpenedComponent opened) {
    var groups = opened.groups();
    if (policy.inRun() && groups.size() < 2) {
      return new ExecutionOrder(groups, false);
    }
    var request = new GroupOrderRequest(task, groups);
    var summary = "group order of " + task.component();
    var brief = Workflow.newLocalActivityStub(OrderingActivities.class, brief(summary));
    var atOnce = opened.order().orElseGet(() -> brief.groupOrder(request));
    return atOnce.unanswered()
        ? Workflow.newActivityStub(OrderingActivities.class, question("wait for the " + summary))
            .awaitGroupOrder(request)
        : atOnce;
  }

  private static ResourceActivities resources(String summary) {
    return Workflow.newLocalActivityStub(ResourceActivities.class, brief(summary));
  }

  /** One group after the other, whatever the order says of groups that change together. */
  private void runHook(TaskHook hook, ExecutionOrder order) {
    for (String group : order.names()) {
      var summary = "%s: run %s on %s".formatted(hook.point().label(), hook.action(), group);
      Workflow.newActivityStub(ActionActivities.class, waiting(summary))
          .runHook(new HookRequest(new GroupRef(task, group), hook))
          .degraded()
          .ifPresent(degraded);
    }
  }

  /** Batch by batch; throws the first failure of a batch when all its groups have ended. */
  private void carryOut(ExecutionOrder order) {
    for (List<String> batch : order.batches()) {
      ChildWorkflows.awaitAll(
          batch.stream().map(group -> start(new GroupRef(task, group))).toList());
    }
  }

  private Promise<Void> start(GroupRef group) {
    return policy.inline()
        ? Async.procedure(() -> new GroupChange(group, policy, degraded).run())
        : ChildWorkflows.start(child(group));
  }

  private Child child(GroupRef group) {
    return new Child(
        GroupChangeWorkflow.class,
        task,
        group.workflowId(),
        (task.rollback() ? "rollback of " : "")
            + "%s %s/%s".formatted(task.type().label(), task.component(), group.group()),
        List.of(group, policy.rolling()));
  }
}
