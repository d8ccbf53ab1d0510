package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.redis.ReplicationState.Address;
import io.middleware.engine.agent.redis.ReplicationState.Link;
import io.middleware.engine.agent.redis.ReplicationState.Names;
import io.middleware.engine.agent.replication.History;
import io.middleware.engine.agent.replication.ReplicationMark;
import io.middleware.engine.agent.replication.ReplicationMark.Standing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GroupSnapshotTest {
  private static final Address NOBODY = new Address("127.0.0.1", 1);

  private final Map<RedisPeer, ReplicationState> answers = new HashMap<>();

  @Test
  void shouldBeginWithTheLowestNumber() {
    // Given
    see(0, lost(1));
    see(1, lost(1));
    see(2, lost(1));
    // Then
    assertThat(next(0)).isEqualTo(new MembershipStep.Promote());
    assertThat(next(1))
        .isEqualTo(new MembershipStep.Await("the promotion of the pod with the best copy"));
  }

  @Test
  void shouldPromoteThePodWithTheMostHistory() {
    // Given
    see(0, lost(7));
    see(1, lost(9));
    see(2, lost(9));
    // Then
    assertThat(next(0)).isInstanceOf(MembershipStep.Await.class);
    assertThat(next(1)).isEqualTo(new MembershipStep.Promote());
    assertThat(next(2)).isInstanceOf(MembershipStep.Await.class);
  }

  @Test
  void shouldPromoteAPodWithDataBeforeAnEmptyOne() {
    // Given a rebuilt pod, and others that started from append-only files
    see(0, empty(9));
    see(1, lost(1));
    see(2, lost(1));
    // Then
    assertThat(next(0)).isInstanceOf(MembershipStep.Await.class);
    assertThat(next(1)).isEqualTo(new MembershipStep.Promote());
    assertThat(next(2)).isInstanceOf(MembershipStep.Await.class);
  }

  @Test
  void shouldBeginANewGroupWithTheLowestNumber() {
    // Given
    see(0, empty(1));
    see(1, empty(1));
    see(2, empty(1));
    // Then
    assertThat(next(0)).isEqualTo(new MembershipStep.Promote());
  }

  @Test
  void shouldWaitForTheEndOfACopy() {
    // Given
    see(0, empty(1));
    see(1, lost(1));
    see(
        2,
        new ReplicationState(
            false,
            peer(1).address(),
            Link.COPYING,
            history(1),
            false,
            false,
            List.of(),
            Names.NONE));
    // Then
    assertThat(next(1)).isEqualTo(new MembershipStep.Await("the end of a copy"));
  }

  @Test
  void shouldPromoteNoPodWhileOneDoesNotAnswer() {
    // Given
    see(0, lost(7));
    see(1, lost(9));
    // Then
    assertThat(next(1)).isEqualTo(new MembershipStep.Await("pods that do not answer: [2]"));
  }

  @Test
  void shouldFollowTheOnlyPrimaryAndStayWithIt() {
    // Given
    see(0, lost(7));
    see(1, primary(9));
    see(2, following(1, 9));
    // Then
    assertThat(next(0)).isEqualTo(new MembershipStep.Follow(peer(1)));
    assertThat(next(1)).isEqualTo(new MembershipStep.Stay());
    assertThat(next(2)).isEqualTo(new MembershipStep.Stay());
  }

  @Test
  void shouldNotDecideBetweenTwoPrimaries() {
    // Given
    see(0, primary(7));
    see(1, primary(9));
    see(2, following(1, 9));
    // Then
    assertThat(next(2)).isEqualTo(new MembershipStep.Await("more than one primary: db-0, db-1"));
  }

  @Test
  void shouldWaitForASwitchover() {
    // Given
    see(
        0,
        new ReplicationState(
            false, peer(1).address(), Link.DOWN, history(9), true, false, List.of(), Names.NONE));
    see(1, following(0, 9));
    see(2, following(0, 9));
    // Then
    assertThat(next(1)).isEqualTo(new MembershipStep.Await("a running switchover"));
  }

  @Test
  void shouldNotPromoteWhileAPodIsConnectedToAnUnknownPrimary() {
    // Given a group that shrinks to 3 while number 4 is primary
    see(0, following(4, 9));
    see(1, following(4, 9));
    see(2, lost(8));
    // Then
    assertThat(next(0))
        .isEqualTo(new MembershipStep.Await("a primary that only other pods can reach"));
  }

  @Test
  void shouldNotPromoteAPodAboveTheDesiredSize() {
    // Given a group that shrinks to 3
    see(0, lost(8));
    see(1, lost(8));
    see(2, lost(8));
    see(4, lost(9));
    // Then
    assertThat(next(4)).isInstanceOf(MembershipStep.Await.class);
    assertThat(next(0)).isEqualTo(new MembershipStep.Promote());
  }

  @Test
  void shouldYieldToThePrimaryWhoseMarkSaysSo() {
    // Given number 1, which a person has made a primary
    see(0, marked(0, primary(900), mark(2, Standing.PRIMARY, "")));
    see(1, marked(1, primary(7), mark(2, Standing.FOLLOWING, "")));
    see(2, marked(2, following(0, 900), mark(2, Standing.FOLLOWING, "")));
    // Then
    assertThat(next(0)).isEqualTo(new MembershipStep.Stay());
    assertThat(next(1)).isEqualTo(new MembershipStep.Yield(peer(0)));
    assertThat(next(2)).isEqualTo(new MembershipStep.Await("more than one primary: db-0, db-1"));
  }

  @Test
  void shouldKnowOnlyOfAWholeGroupThatItHasOnePrimary() {
    // Given
    see(0, following(1, 9));
    see(1, primary(9));
    // Then a pod that does not answer may be another one
    assertThat(new GroupSnapshot("db-1", answers).isOnePrimaryOf(3)).isFalse();
    see(2, following(1, 9));
    assertThat(new GroupSnapshot("db-1", answers).isOnePrimaryOf(3)).isTrue();
    see(0, primary(9));
    assertThat(new GroupSnapshot("db-1", answers).isOnePrimaryOf(3)).isFalse();
  }

  @Test
  void shouldYieldToThePrimaryOfAHigherEpoch() {
    // Given number 0, which was cut off while another one took over
    see(0, marked(0, primary(900), mark(2, Standing.PRIMARY, "")));
    see(1, marked(1, primary(7), mark(3, Standing.PRIMARY, "")));
    // Then
    assertThat(next(0)).isEqualTo(new MembershipStep.Yield(peer(1)));
    assertThat(next(1)).isEqualTo(new MembershipStep.Stay());
  }

  @Test
  void shouldWaitForTheMarkOfEachPod() {
    // Given
    see(0, marked(0, lost(1), mark(2, Standing.FOLLOWING, "")));
    see(1, marked(1, lost(1), Optional.empty()));
    see(2, marked(2, lost(1), mark(2, Standing.PRIMARY, "")));
    // Then
    assertThat(next(2))
        .isEqualTo(new MembershipStep.Await("the marks that the agents report of db-1"));
    // When
    see(1, marked(1, lost(1), Optional.of(ReplicationMark.NONE)));
    // Then
    assertThat(next(2)).isEqualTo(new MembershipStep.Promote());
    assertThat(next(0)).isInstanceOf(MembershipStep.Await.class);
  }

  @Test
  void shouldDecideWithoutMarksWhileAnEarlierPluginRunsAPod() {
    // Given
    see(0, marked(0, lost(1), mark(2, Standing.FOLLOWING, "")));
    see(1, lost(1));
    see(2, marked(2, lost(1), mark(2, Standing.PRIMARY, "")));
    // Then
    assertThat(next(0)).isEqualTo(new MembershipStep.Promote());
    // When
    see(0, marked(0, primary(9), mark(2, Standing.FOLLOWING, "")));
    see(1, primary(9));
    // Then
    assertThat(next(0)).isEqualTo(new MembershipStep.Await("more than one primary: db-0, db-1"));
  }

  @Test
  void shouldBeginALineageOnceAndCountItsEpochs() {
    // Given
    see(0, marked(0, lost(1), mark(4, Standing.FOLLOWING, "a")));
    see(1, marked(1, lost(1), mark(5, Standing.FOLLOWING, "b")));
    var group = new GroupSnapshot("db-0", answers);
    // Then
    assertThat(group.nextPrimary(ReplicationMark.NONE))
        .isEqualTo(new ReplicationMark("aa", 6, Standing.PRIMARY, "", 0));
    answers.clear();
    see(0, marked(0, empty(1), Optional.of(ReplicationMark.NONE)));
    assertThat(new GroupSnapshot("db-0", answers).nextPrimary(ReplicationMark.NONE))
        .satisfies(begun -> assertThat(begun.epoch()).isOne())
        .satisfies(begun -> assertThat(begun.lineage()).matches("[0-9a-f]{8}"));
  }

  private static ReplicationState marked(
      int number, ReplicationState state, Optional<ReplicationMark> mark) {
    var identity = Optional.of(new RedisIdentity("shop", "db-" + number, "u"));
    return new ReplicationState(
        state.primary(),
        state.primaryAddress(),
        state.link(),
        state.history(),
        state.failingOver(),
        false,
        state.followers(),
        new Names(identity, "", mark, 0));
  }

  private static Optional<ReplicationMark> mark(long epoch, Standing standing, String history) {
    return Optional.of(new ReplicationMark("aa", epoch, standing, history, 5));
  }

  private void see(int number, ReplicationState state) {
    answers.put(peer(number), state);
  }

  private MembershipStep next(int number) {
    return new GroupSnapshot("db-" + number, answers).next(() -> 3);
  }

  private static RedisPeer peer(int number) {
    return new RedisPeer("db-" + number, "10.0.0." + number, 6379);
  }

  private static ReplicationState primary(long offset) {
    return new ReplicationState(
        true, Address.NONE, Link.DOWN, history(offset), false, false, List.of(), Names.NONE);
  }

  private static ReplicationState following(int number, long offset) {
    return new ReplicationState(
        false,
        peer(number).address(),
        Link.UP,
        history(offset),
        false,
        false,
        List.of(),
        Names.NONE);
  }

  private static ReplicationState lost(long offset) {
    return new ReplicationState(
        false, NOBODY, Link.DOWN, history(offset), false, false, List.of(), Names.NONE);
  }

  private static ReplicationState empty(long offset) {
    return new ReplicationState(
        false,
        NOBODY,
        Link.DOWN,
        new History("", "", offset, true),
        false,
        false,
        List.of(),
        Names.NONE);
  }

  private static History history(long offset) {
    return new History("", "", offset, false);
  }
}
