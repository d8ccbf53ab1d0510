package io.middleware.engine.workflows.component;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.brief;
import static io.middleware.engine.workflows.temporal.ActivityPolicy.step;
import static io.middleware.engine.workflows.temporal.ActivityPolicy.waiting;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.workflows.port.ActionActivities;
import io.middleware.engine.workflows.port.ActionActivities.ActionsRun;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.ConfigurationActivities;
import io.middleware.engine.workflows.port.ConfigurationActivities.ReloadRequest;
import io.middleware.engine.workflows.port.DrainFirst;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import io.middleware.engine.workflows.port.GroupWrite.MembersReturn;
import io.middleware.engine.workflows.port.MemberMove;
import io.middleware.engine.workflows.port.OperationActivities;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.ConvergeRequest;
import io.middleware.engine.workflows.port.PodActivities.DrainRequest;
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.ResourceActivities;
import io.middleware.engine.workflows.port.VolumeActivities;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Functions.Func;
import io.temporal.workflow.Functions.Func1;
import io.temporal.workflow.Workflow;
import java.util.Optional;
import java.util.function.Consumer;

/** Carries out one group's part of a task: its objects, then its pods in the agents' order. */
final class GroupChange {
  private static final String DRAIN_AGAIN = "drain-again-after-a-pause";

  private final GroupRef group;
  private final GroupPolicy policy;
  private final Consumer<String> degraded;

  /**
   * @param degraded told why an order is not the agents' own
   */
  GroupChange(GroupRef group, GroupPolicy policy, Consumer<String> degraded) {
    this.group = group;
    this.policy = policy;
    this.degraded = degraded;
  }

  void run() {
    switch (group.task().type()) {
      case REMOVE -> remove(group);
      case SWITCHOVER -> operation("switch over " + group.group()).switchOver(group);
      case REBUILD -> operation("rebuild pods of " + group.group()).rebuild(group);
      case ACTION -> runAction(group).degraded().ifPresent(degraded);
      default -> change();
    }
  }

  private void change() {
    if (isStorage(group)) {
      Workflow.newActivityStub(VolumeActivities.class, waiting("grow volumes of " + group.group()))
          .growVolumes(group);
    }
    var applied = apply();
    var converged =
        applied.statefulSet().filter(written -> updatePods(written, applied.order())).isPresent();
    if (!converged) {
      converge(new ConvergeRequest(group, applied.statefulSet()));
    }
    CheckStep.after(group);
  }

  /** Returns whether nothing is missing in the group afterwards. */
  private boolean updatePods(AppliedStatefulSet written, Optional<PodOrder> order) {
    var converged = new PodRollout(group, written, policy.rolling(), degraded).run(order);
    if (written.reload()) {
      reload(new ReloadRequest(group, written));
    }
    return converged && !written.reload();
  }

  private Applied apply() {
    var resources = resources("apply " + group.group());
    var first = policy.inRun() ? briefly("apply " + group.group()) : resources;
    var members = new MemberSteps(group, policy.rolling(), degraded);
    var write = written(group, first::applyGroup, () -> {});
    while (true) {
      switch (write) {
        case Applied applied -> {
          return applied;
        }
        case DrainFirst surplus -> {
          drain(group, surplus);
          return written(group, resources::applyDrainedGroup, () -> drainAgain(group, surplus));
        }
        case MembersReturn stopped -> members.comeBack(stopped);
        case MemberMove move -> members.carryOut(move);
      }
      write = written(group, resources::applyGroup, () -> {});
    }
  }

  static void drain(GroupRef group, DrainFirst surplus) {
    waits("drain pods of " + group.group()).drain(new DrainRequest(group, surplus));
  }

  /** What was prepared for a step does not last while the App is paused. */
  private static void drainAgain(GroupRef group, DrainFirst surplus) {
    if (Workflow.getVersion(DRAIN_AGAIN, Workflow.DEFAULT_VERSION, 1) == 1) {
      drain(group, surplus);
    }
  }

  /**
   * A cancel between two attempts must not leave pods without their StatefulSet.
   *
   * @param resumed runs before the step when the App was paused
   */
  private static <T> T written(GroupRef group, Func1<GroupRef, T> write, Runnable resumed) {
    try {
      return unpaused(group, () -> write.apply(group), resumed);
    } catch (ActivityFailure e) {
      if (isStorage(group) && CancellationScope.current().isCancelRequested()) {
        var complete = resources("complete " + group.group());
        Workflow.newDetachedCancellationScope(() -> complete.completeGroup(group)).run();
      }
      throw e;
    }
  }

  private static boolean isStorage(GroupRef group) {
    return group.task().type() == ChangeType.STORAGE;
  }

  private void reload(ReloadRequest request) {
    var configuration =
        Workflow.newActivityStub(
            ConfigurationActivities.class,
            waiting("reload configuration of " + request.group().group()));
    configuration.reload(request).degraded().ifPresent(degraded);
  }

  /** Usually nothing is missing after the last pod: a check costs one event, a wait costs seven. */
  private static void converge(ConvergeRequest request) {
    var group = request.group().group();
    var check = Workflow.newLocalActivityStub(PodActivities.class, brief("check pods of " + group));
    if (check.missing(request).isPresent()) {
      waits("wait until pods of %s are ready".formatted(group)).awaitConverged(request);
    }
  }

  /**
   * The Group is deleted last: as long as it exists, a repeat finds it and waits for its pods
   * again.
   */
  private static void remove(GroupRef group) {
    var name = group.group();
    if (unpaused(group, () -> resources("remove " + name).removeGroup(group), () -> {})
        instanceof DrainFirst remaining) {
      drain(group, remaining);
      unpaused(
          group,
          () -> {
            resources("remove " + name).removeDrainedGroup(group);
            return group;
          },
          () -> drainAgain(group, remaining));
    }
    waits("wait until pods of %s are gone".formatted(name)).awaitGone(group);
    briefly("release " + name).releaseGroup(group);
  }

  /** Runs a step that begins only while the App is not paused; without a pause it costs nothing. */
  static <T> T unpaused(GroupRef group, Func<T> step, Runnable resumed) {
    while (true) {
      try {
        return step.apply();
      } catch (ActivityFailure e) {
        if (!FaultKind.PAUSED.label().equals(FailureCauses.explain(e).reason())) {
          throw e;
        }
      }
      AppPause.awaitEnd(group);
      resumed.run();
    }
  }

  private static ActionsRun runAction(GroupRef group) {
    var summary = "run action on " + group.group();
    return Workflow.newActivityStub(ActionActivities.class, waiting(summary)).runAction(group);
  }

  private static ResourceActivities briefly(String summary) {
    return Workflow.newLocalActivityStub(ResourceActivities.class, brief(summary));
  }

  private static ResourceActivities resources(String summary) {
    return Workflow.newActivityStub(ResourceActivities.class, step(summary));
  }

  private static OperationActivities operation(String summary) {
    return Workflow.newActivityStub(OperationActivities.class, waiting(summary));
  }

  private static PodActivities waits(String summary) {
    return Workflow.newActivityStub(PodActivities.class, waiting(summary));
  }
}
