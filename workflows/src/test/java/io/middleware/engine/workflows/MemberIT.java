package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static io.middleware.engine.workflows.ChangeEnvironment.retry;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.UndoPolicy;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A group whose pods are members of a cluster gets another number of them, one at a time. */
class MemberIT {
  private static final String TASK = "7-resources-nodes";

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;
  private final CountDownLatch dead = new CountDownLatch(1);

  @BeforeEach
  void deploy() {
    cluster.groups.put("nodes", List.of("shard-0"));
    cluster.pods.remove("shard-0");
    cluster.members.now.put("shard-0", 3);
    cluster.members.before.put("shard-0", 3);
    plan(Plans.HOLD);
    scale(5);
  }

  @AfterEach
  void stop() {
    dead.countDown();
  }

  private void plan(UndoPolicy undo) {
    cluster.planner =
        Plans.inRun(
            change -> Plans.undoing(change.generation(), ChangeType.RESOURCES, undo, "nodes"));
  }

  private void scale(int members) {
    cluster.members.target.put("shard-0", members);
  }

  private static Stream<String> joins(int number) {
    return moves("join", number, number + 1);
  }

  private static Stream<String> leaves(int number) {
    return moves("leave", number, number);
  }

  private static Stream<String> moves(String direction, int number, int members) {
    return Stream.of(
        "%s s0-%d".formatted(direction, number),
        "%d members of nodes/shard-0".formatted(members),
        "converged nodes/shard-0",
        "complete s0-%d".formatted(number));
  }

  /** What was done to members, in order. */
  private List<String> moves() {
    return cluster.operations.stream()
        .filter(one -> one.matches("(join|leave|complete|. members|converged) .*"))
        .toList();
  }

  @Test
  void shouldReachALargerAndThenASmallerNumberOneMemberAtATime() {
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(moves())
        .startsWith(Stream.concat(joins(3), joins(4)).toArray(String[]::new))
        .endsWith("converged nodes/shard-0");
    assertThat(cluster.operations).containsSubsequence("complete s0-4", "apply nodes/shard-0");
    // Given
    cluster.forget();
    scale(3);
    // When
    env.change(8);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(moves()).startsWith(Stream.concat(leaves(4), leaves(3)).toArray(String[]::new));
    assertThat(cluster.members.now).containsEntry("shard-0", 3);
    assertThat(cluster.members.moving).isEmpty();
    assertThat(cluster.members.ids).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void shouldStayWithTheMembersThatHaveJoinedWhenOneIsRefused() {
    // Given
    cluster.fault =
        operation ->
            operation.equals("join s0-4")
                ? fails(FaultKind.AGENT_REFUSED, "pod s0-0: refused: the quorum is at risk")
                : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Failed: ");
    assertThat(env.message(TASK)).contains("the quorum is at risk");
    assertThat(cluster.members.now).containsEntry("shard-0", 4);
    assertThat(moves())
        .containsExactly(Stream.concat(joins(3), Stream.of("join s0-4")).toArray(String[]::new));
  }

  @Test
  void shouldTakeMembersBackOneByOneWhenTheChangeIsRolledBack() {
    // Given
    plan(Plans.ROLLBACK);
    cluster.fault =
        operation ->
            operation.equals("complete s0-4") && env.isFirst(operation)
                ? fails(FaultKind.AGENT_REFUSED, "pod s0-4: refused: it cannot catch up")
                : null;
    // When
    env.change(7);
    // Then
    assertThat(env.result()).startsWith("Failed: ");
    assertThat(moves())
        .containsSubsequence(
            Stream.of(Stream.of("complete s0-4"), leaves(4), leaves(3))
                .flatMap(moves -> moves)
                .toArray(String[]::new));
    assertThat(cluster.members.now).containsEntry("shard-0", 3);
    // Given
    cluster.fault = operation -> null;
    cluster.forget();
    // When
    env.change(request(7).again(retry(TASK)));
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(moves()).startsWith(joins(3).toArray(String[]::new));
  }

  @Test
  void shouldGoOnWhereACancelHasStoppedIt() {
    // Given
    env.whenHangingAt("join s0-4", () -> env.update("cancelTasks", cancel(TASK)));
    env.change(7);
    assertThat(env.result()).startsWith("Cancelled");
    assertThat(cluster.members.now).containsEntry("shard-0", 4);
    cluster.forget();
    // When
    scale(4);
    env.change(8);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(moves()).startsWith(leaves(4).toArray(String[]::new));
    assertThat(cluster.members.now).containsEntry("shard-0", 4);
    assertThat(cluster.members.moving).isEmpty();
  }

  @Test
  void shouldAskAgainByTheSameIdWhenItsWorkerDies() {
    // Given
    env.during("join s0-3", this::fallSilent);
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(Collections.frequency(cluster.operations, "join s0-3")).isEqualTo(2);
    assertThat(cluster.members.ids).hasSize(3);
    assertThat(cluster.members.ids.get(0)).isEqualTo(cluster.members.ids.get(1));
    assertThat(cluster.members.now).containsEntry("shard-0", 5);
  }

  @Test
  void shouldBringAllMembersOfAStoppedGroupBackBeforeTheFirstOneLeaves() {
    // Given
    cluster.members.stopped.put("shard-0", true);
    scale(2);
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(moves())
        .startsWith(
            Stream.concat(
                    Stream.of("3 members of nodes/shard-0", "converged nodes/shard-0"), leaves(2))
                .toArray(String[]::new));
  }

  @Test
  void shouldReplaceABrokenMemberBeforeAnotherOneMoves() {
    // Given
    cluster.members.broken.put("shard-0", true);
    cluster.pods.put("shard-0", List.of("s0-1"));
    scale(4);
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.operations)
        .containsSubsequence(
            "3 members of nodes/shard-0", "replace s0-1", "converged nodes/shard-0", "join s0-3");
  }

  private void fallSilent() {
    try {
      dead.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
