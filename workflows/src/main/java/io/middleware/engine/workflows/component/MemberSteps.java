package io.middleware.engine.workflows.component;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.step;
import static io.middleware.engine.workflows.temporal.ActivityPolicy.waiting;

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

/**
 * Brings a group nearer to its number of pods, where these join and leave it one at a time.
 *
 * <ol>
 *   <li>Drain a pod that leaves.
 *   <li>Make the move known to the middleware.
 *   <li>Write the new number of pods, and wait until they are ready and no others are there.
 *   <li>Complete the move.
 * </ol>
 */
final class MemberSteps {
  private final GroupRef group;

  MemberSteps(GroupRef group) {
    this.group = group;
  }

  void carryOut(MemberMove move) {
    var request = new MoveRequest(group, move);
    move.drain().ifPresent(first -> GroupChange.drain(group, first));
    switch (move.direction()) {
      case JOIN -> members("let %s join", move).beginMove(request);
      case LEAVE -> members("let %s leave", move).beginMove(request);
    }
    write(move.members());
    members("complete the move of %s", move).endMove(request);
  }

  /** All at once: they are members already. */
  void comeBack(MembersReturn stopped) {
    write(stopped.members());
  }

  private void write(int members) {
    var name = "%s with %d members".formatted(group.group(), members);
    var resources = Workflow.newActivityStub(ResourceActivities.class, step("apply " + name));
    var applied =
        GroupChange.unpaused(
            group, () -> resources.applyMembers(new MembersWrite(group, members)), () -> {});
    Workflow.newActivityStub(PodActivities.class, waiting("wait for " + name))
        .awaitConverged(new ConvergeRequest(group, applied.statefulSet()));
  }

  private static MemberActivities members(String summary, MemberMove move) {
    return Workflow.newActivityStub(
        MemberActivities.class, waiting((summary + ": %s").formatted(move.pod(), move.position())));
  }
}
