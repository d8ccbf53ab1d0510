package io.middleware.engine.workflows.component;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.step;
import static io.middleware.engine.workflows.temporal.ActivityPolicy.waiting;

import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.GroupWrite.MembersReturn;
import io.middleware.engine.workflows.port.MemberActivities;
import io.middleware.engine.workflows.port.MemberActivities.MoveRequest;
import io.middleware.engine.workflows.port.MemberMove;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.ConvergeRequest;
import io.middleware.engine.workflows.port.ResourceActivities;
import io.middleware.engine.workflows.port.ResourceActivities.MembersWrite;
import io.temporal.workflow.Workflow;
import java.util.function.Consumer;

/**
 * Brings a group nearer to its number of pods, where these join and leave it one at a time.
 *
 * <ol>
 *   <li>Drain a pod that leaves.
 *   <li>Make the move known to the middleware.
 *   <li>Write the new number of pods. Replace those that are broken and out of date, and wait until
 *       all are ready and no others are there.
 *   <li>Complete the move.
 * </ol>
 */
final class MemberSteps {
  private final GroupRef group;
  private final RollingPolicy rolling;
  private final Consumer<String> degraded;

  /**
   * @param degraded told why an order is not the agents' own
   */
  MemberSteps(GroupRef group, RollingPolicy rolling, Consumer<String> degraded) {
    this.group = group;
    this.rolling = rolling;
    this.degraded = degraded;
  }

  void carryOut(MemberMove move) {
    var request = new MoveRequest(group, move);
    move.drain().ifPresent(first -> GroupChange.drain(group, first));
    switch (move.direction()) {
      case JOIN -> members("let %s join", move).beginMove(request);
      case LEAVE -> members("let %s leave", move).beginMove(request);
    }
    write(new MembersWrite(group, move.members(), true));
    members("complete the move of %s", move).endMove(request);
  }

  /** All at once: they are members already. */
  void comeBack(MembersReturn stopped) {
    write(new MembersWrite(group, stopped.members(), stopped.running()));
  }

  private void write(MembersWrite request) {
    var name = "%s with %d members".formatted(group.group(), request.members());
    var resources = Workflow.newActivityStub(ResourceActivities.class, step("apply " + name));
    var applied = GroupChange.unpaused(group, () -> resources.applyMembers(request), () -> {});
    var broken = applied.order();
    if (broken.isPresent()) {
      new PodRollout(group, applied.statefulSet().orElseThrow(), rolling, degraded).run(broken);
    }
    Workflow.newActivityStub(PodActivities.class, waiting("wait for " + name))
        .awaitConverged(new ConvergeRequest(group, applied.statefulSet()));
  }

  private static MemberActivities members(String summary, MemberMove move) {
    return Workflow.newActivityStub(
        MemberActivities.class, waiting((summary + ": %s").formatted(move.pod(), move.position())));
  }
}
