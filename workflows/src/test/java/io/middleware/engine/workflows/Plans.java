package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.api.task.TaskPolicy;
import io.middleware.engine.workflows.port.PlanAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Plans for tests. */
final class Plans {
  static final RollingPolicy ROLLING = new RollingPolicy(1, Duration.ZERO);
  static final TaskPolicy POLICY = new TaskPolicy(Duration.ofSeconds(30), 3, Duration.ofSeconds(1));

  private Plans() {}

  /** A plan with one stage per component. */
  static PlanAnswer inTurn(long generation, ChangeType type, String... components) {
    var tasks = new ArrayList<ChangeTask>();
    for (var component : components) {
      tasks.add(task(generation, type, component, tasks.size()));
    }
    return new PlanAnswer.Planned(new ChangePlan(generation, false, tasks, ROLLING));
  }

  static PlanAnswer removal(long generation, String component) {
    return new PlanAnswer.Planned(
        new ChangePlan(
            generation, true, List.of(task(generation, ChangeType.REMOVE, component, 0)), ROLLING));
  }

  static ChangeTask task(long generation, ChangeType type, String component, int stage) {
    var id = generation + "-" + type.label().toLowerCase(Locale.ROOT) + "-" + component;
    return new ChangeTask(id, type, component, type.label() + " of " + component, stage, POLICY);
  }
}
