package io.middleware.engine.agent.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.replication.ReplicationMark.Standing;
import java.util.List;
import org.junit.jupiter.api.Test;

class BestCopyTest {
  private static final long FORGOTTEN = 1;

  @Test
  void shouldPreferThePrimaryOfTheLastEpochWhenAllHaveForgottenTheirOffsets() {
    assertThat(
            best(
                copy(0, "", FORGOTTEN, mark(1, Standing.FOLLOWING, "a", 900)),
                copy(1, "", FORGOTTEN, mark(2, Standing.FOLLOWING, "b", 510)),
                copy(2, "", FORGOTTEN, mark(2, Standing.PRIMARY, "b", 500))))
        .isEqualTo(2);
  }

  @Test
  void shouldPreferAReplicaThatFollowedToTheEnd() {
    assertThat(
            best(
                copy(0, "", FORGOTTEN, mark(2, Standing.BEHIND, "b", 900)),
                copy(1, "", FORGOTTEN, mark(2, Standing.FOLLOWING, "b", 500)),
                empty(2)))
        .isEqualTo(1);
  }

  @Test
  void shouldPreferARunningReplicaThatReachesFartherThanTheRecordOfThePrimary() {
    // Given a primary that started again from its files
    var primary = copy(0, "", FORGOTTEN, mark(2, Standing.PRIMARY, "b", 500));
    // Then
    assertThat(best(primary, copy(1, "b", 501, mark(2, Standing.FOLLOWING, "b", 400))))
        .isEqualTo(1);
    assertThat(best(primary, copy(1, "b", 499, mark(2, Standing.BEHIND, "b", 499)))).isZero();
  }

  @Test
  void shouldNotBelieveTheMarkOfAServerThatStartedFromAnOlderFile() {
    // Given a primary whose file is of the epoch before
    var primary = copy(0, "a", 100, mark(2, Standing.PRIMARY, "b", 500));
    // Then
    assertThat(best(primary, copy(1, "a", 300, mark(1, Standing.BEHIND, "a", 300)))).isEqualTo(1);
  }

  @Test
  void shouldKnowANewPrimaryThatIsNotMarkedYet() {
    var successor = new History("c", "b", 510, false);
    assertThat(
            best(
                copy(0, "b", 505, mark(2, Standing.PRIMARY, "b", 505)),
                new GroupCopy(1, successor, mark(2, Standing.FOLLOWING, "b", 505))))
        .isEqualTo(1);
  }

  @Test
  void shouldKnowAPrimaryThatEndedBeforeItWasMarked() {
    // Given a primary that has handed over to number 1, which ended soon afterwards
    var before = copy(0, "b", 505, mark(2, Standing.PRIMARY, "b", 505));
    var successor = copy(1, "c", 600, mark(2, Standing.FOLLOWING, "b", 400));
    var follower = copy(2, "c", 550, mark(2, Standing.FOLLOWING, "b", 500));
    // Then
    assertThat(best(before, successor, follower)).isEqualTo(1);
    // but not one that a person made a primary while the other one went on
    assertThat(best(copy(0, "b", 700, before.mark()), successor, follower)).isZero();
  }

  @Test
  void shouldLeaveOldVolumesOfHigherNumbersBehind() {
    // Given number 3 and 4 of a group that was removed, or that had five pods once
    var other = new ReplicationMark("ffff", 9, Standing.PRIMARY, "x", 90_000);
    var earlier = mark(1, Standing.FOLLOWING, "a", 90_000);
    // Then
    assertThat(
            best(
                copy(0, "", FORGOTTEN, mark(2, Standing.FOLLOWING, "b", 700)),
                copy(1, "", FORGOTTEN, mark(2, Standing.PRIMARY, "b", 700)),
                copy(3, "", FORGOTTEN, other),
                copy(4, "a", 90_000, earlier)))
        .isEqualTo(1);
  }

  @Test
  void shouldPreferDataToNoneAndNothingToDataOfAnotherGroup() {
    assertThat(best(empty(0), copy(1, "z", 7, ReplicationMark.NONE))).isEqualTo(1);
    assertThat(best(copy(0, "z", 99, mark(3, Standing.FOREIGN, "b", 5)), empty(1))).isEqualTo(1);
    assertThat(BestCopy.of(List.of(copy(0, "z", 99, mark(3, Standing.FOREIGN, "b", 5))))).isEmpty();
  }

  @Test
  void shouldDecideByOffsetAndNumberWithoutMarks() {
    assertThat(best(unmarked(0, 7), unmarked(1, 9), unmarked(2, 9))).isEqualTo(1);
  }

  private static long best(GroupCopy... copies) {
    return BestCopy.of(List.of(copies)).orElseThrow().number();
  }

  private static GroupCopy copy(long number, String history, long offset, ReplicationMark mark) {
    return new GroupCopy(number, new History(history, "", offset, false), mark);
  }

  private static GroupCopy unmarked(long number, long offset) {
    return copy(number, "", offset, ReplicationMark.NONE);
  }

  private static GroupCopy empty(long number) {
    return new GroupCopy(number, new History("", "", 1, true), ReplicationMark.NONE);
  }

  private static ReplicationMark mark(long epoch, Standing standing, String history, long offset) {
    return new ReplicationMark("aaaa", epoch, standing, history, offset);
  }
}
