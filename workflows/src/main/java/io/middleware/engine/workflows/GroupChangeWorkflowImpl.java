package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ActivityPolicy.brief;
import static io.middleware.engine.workflows.ActivityPolicy.step;
import static io.middleware.engine.workflows.ActivityPolicy.waiting;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.workflows.port.AppliedGroup;
import io.middleware.engine.workflows.port.ConfigurationActivities;
import io.middleware.engine.workflows.port.ConfigurationActivities.ReloadRequest;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.ConvergeRequest;
import io.middleware.engine.workflows.port.PodActivities.DrainRequest;
import io.middleware.engine.workflows.port.ResourceActivities;
import io.middleware.engine.workflows.port.VolumeActivities;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Functions.Func;
import io.temporal.workflow.Functions.Func1;
import io.temporal.workflow.Workflow;

/** {@inheritDoc} */
public final class GroupChangeWorkflowImpl implements GroupChangeWorkflow {

  @Override
  public void run(GroupRef group, RollingPolicy rolling) {
    try {
      if (group.task().type() == ChangeType.REMOVE) {
        remove(group);
      } else {
        change(group, rolling);
      }
    } catch (TemporalFailure e) {
      throw FailureCauses.clean(e);
    }
  }

  private static void change(GroupRef group, RollingPolicy rolling) {
    if (isStorage(group)) {
      Workflow.newActivityStub(VolumeActivities.class, waiting("grow volumes of " + group.group()))
          .growVolumes(group);
    }
    var workload = apply(group);
    new PodRollout(group, workload, rolling).run();
    if (workload.reload()) {
      reload(new ReloadRequest(group, workload));
    }
    converge(new ConvergeRequest(group, workload));
  }

  private static AppliedGroup apply(GroupRef group) {
    var resources = resources("apply " + group.group());
    var applied = written(group, resources::applyGroup);
    if (applied.leaving().isEmpty()) {
      return applied;
    }
    drain(group, applied);
    return written(group, resources::applyDrainedGroup);
  }

  private static void drain(GroupRef group, AppliedGroup before) {
    waits("drain pods of " + group.group())
        .drain(new DrainRequest(group, before.leaving(), before.agents()));
  }

  /** A cancel between two attempts must not leave pods without the StatefulSet they had. */
  private static AppliedGroup written(GroupRef group, Func1<GroupRef, AppliedGroup> write) {
    try {
      return unpaused(group, () -> write.apply(group));
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

  private static void reload(ReloadRequest request) {
    var configuration =
        Workflow.newActivityStub(
            ConfigurationActivities.class, waiting("reload " + request.group().group()));
    DegradedOrderReport.tell(
        request.group().task().change(), configuration.reload(request).degraded());
  }

  /**
   * After the last pod there is mostly nothing to wait for: a look costs one event, a wait seven.
   */
  private static void converge(ConvergeRequest request) {
    var group = request.group().group();
    var look = Workflow.newLocalActivityStub(PodActivities.class, brief("look at " + group));
    if (!look.missing(request).isEmpty()) {
      waits("await " + group).awaitConverged(request);
    }
  }

  /**
   * The Group goes last: as long as it is there, a repeat finds it and waits for its pods again. In
   * a history from before pods of removed groups were drained the removal has no result.
   */
  private static void remove(GroupRef group) {
    var name = group.group();
    var removed = unpaused(group, () -> resources("remove " + name).removeGroup(group));
    if (removed != null && !removed.leaving().isEmpty()) {
      drain(group, removed);
      unpaused(
          group,
          () -> {
            resources("remove " + name).removeDrainedGroup(group);
            return group;
          });
    }
    waits("await end of " + group.group()).awaitGone(group);
    Workflow.newLocalActivityStub(ResourceActivities.class, brief("release " + group.group()))
        .releaseGroup(group);
  }

  /** A step that begins when the App is not paused; only a pause costs events. */
  private static <T> T unpaused(GroupRef group, Func<T> step) {
    while (true) {
      try {
        return step.apply();
      } catch (ActivityFailure e) {
        if (!FaultKind.PAUSED.label().equals(FailureCauses.explain(e).reason())) {
          throw e;
        }
      }
      waits("await resume before " + group.group()).awaitResumed(group.task());
    }
  }

  private static ResourceActivities resources(String summary) {
    return Workflow.newActivityStub(ResourceActivities.class, step(summary));
  }

  private static PodActivities waits(String summary) {
    return Workflow.newActivityStub(PodActivities.class, waiting(summary));
  }
}
