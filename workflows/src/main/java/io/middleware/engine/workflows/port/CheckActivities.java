package io.middleware.engine.workflows.port;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.WatchedChecks;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;
import java.util.Optional;

/**
 * Carries out the checks that follow a task. They read past all caches, write only into the App's
 * status what became of them, and may be repeated.
 */
@ActivityInterface
public interface CheckActivities {

  /**
   * Whether all checks hold at this moment, so that there is nothing to wait for. False also when
   * that is not known, or when a check must keep holding. As it takes no longer than a few seconds,
   * it may be a local activity.
   */
  @ActivityMethod
  boolean checksHold(CheckRequest request);

  /**
   * Waits until each check has held for as long as it must. Asks again every second, not while the
   * App is paused: then the time of all checks starts again. Heartbeats with what does not hold
   * yet, and ends early when cancelled.
   *
   * <p>Fails with kind CHECK_FAILED, which is final, when a check does not hold in time, or when it
   * is not known by then whether it holds; the message names the check, what was found and what was
   * expected. Fails with SUPERSEDED when another run holds the App's run lock.
   */
  @ActivityMethod
  void awaitChecks(CheckRequest request);

  /**
   * Carries checks out again and again, until it is cancelled. It does not look while the App is
   * paused. What is not known counts neither as a failure nor against one. Writes nothing that a
   * later step reads; a new attempt counts from zero. Heartbeats rarely.
   *
   * <p>Fails with kind CHECK_FAILED, which is final, when a check has not held as often in a row as
   * its threshold says; the message names the check, what was found and the threshold. Fails with
   * SUPERSEDED when another run holds the App's run lock.
   */
  @ActivityMethod
  void watchChecks(WatchRequest request);

  /**
   * @param pluginRevision as {@link TaskRef#pluginRevision()}
   * @param components at least one
   */
  record WatchRequest(
      ChangeRef change, Optional<String> pluginRevision, List<WatchedChecks> components)
      implements ChangeStep {
    public WatchRequest {
      components = List.copyOf(components);
    }

    /** The task that would carry the checks of the component out after the change. */
    public TaskRef task(String component) {
      var id = "%d-check-%s".formatted(change.generation(), component);
      return new TaskRef(change, id, ChangeType.CHECK, component).with(pluginRevision);
    }
  }

  /**
   * @param group that is checked; empty for the whole component
   * @param names of the checks, at least one
   */
  record CheckRequest(TaskRef task, Optional<String> group, List<String> names)
      implements ChangeStep {
    public CheckRequest {
      names = List.copyOf(names);
    }

    @Override
    public ChangeRef change() {
      return task.change();
    }

    /** What is checked, for people: the group, or the component. */
    public String subject() {
      return group.map(name -> task.component() + "/" + name).orElse(task.component());
    }
  }
}
