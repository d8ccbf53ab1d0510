package io.middleware.engine.workflows.component;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.brief;
import static io.middleware.engine.workflows.temporal.ActivityPolicy.waiting;

import io.middleware.engine.api.task.TaskChecks;
import io.middleware.engine.workflows.port.CheckActivities;
import io.middleware.engine.workflows.port.CheckActivities.CheckRequest;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.workflow.Workflow;
import java.util.List;
import java.util.Optional;

/** Carries out the checks that the plan says, if there are any. */
public final class CheckStep {
  private CheckStep() {}

  /** The checks of a group, before the next group begins. */
  static void after(GroupRef group) {
    var names = group.task().checks().map(TaskChecks::group).orElse(List.of());
    check(new CheckRequest(group.task(), Optional.of(group.group()), names));
  }

  /** The checks of the component, after all its groups, or after the whole change. */
  public static void after(TaskRef task) {
    var names = task.checks().map(TaskChecks::component).orElse(List.of());
    check(new CheckRequest(task, Optional.empty(), names));
  }

  /** Usually all of them hold at once: a look costs one event, a wait costs seven. */
  private static void check(CheckRequest request) {
    if (request.names().isEmpty()) {
      return;
    }
    var subject = subject(request);
    var look = Workflow.newLocalActivityStub(CheckActivities.class, brief("check " + subject));
    if (!look.checksHold(request)) {
      Workflow.newActivityStub(CheckActivities.class, waiting("wait until it holds: " + subject))
          .awaitChecks(request);
    }
  }

  private static String subject(CheckRequest request) {
    return named(request.names(), request.subject());
  }

  /** The server accepts no long summaries. */
  public static String named(List<String> checks, String subject) {
    var others = checks.size() - 1;
    return "%s%s of %s"
        .formatted(checks.getFirst(), others == 0 ? "" : " and %d more".formatted(others), subject);
  }
}
