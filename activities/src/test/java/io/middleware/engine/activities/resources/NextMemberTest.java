package io.middleware.engine.activities.resources;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.activities.objects.GroupMembers;
import io.middleware.engine.activities.objects.GroupMembers.Moving;
import io.middleware.engine.activities.resources.NextMember.Pods;
import io.middleware.engine.workflows.port.GroupWrite;
import io.middleware.engine.workflows.port.GroupWrite.MembersReturn;
import io.middleware.engine.workflows.port.MemberMove;
import io.middleware.engine.workflows.port.MemberMove.Direction;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NextMemberTest {

  /**
   * Of pods db-0, db-1 and so on, all of which are ready.
   *
   * @param expected empty when nothing is to do
   */
  @ParameterizedTest(name = "{0} members{1}, running {2}, to have {3}: {4}")
  @CsvSource({
    "3,          , true,  3, ''",
    "3,          , true,  5, JOIN db-3 → 4",
    "4,          , true,  5, JOIN db-4 → 5",
    "5,          , true,  3, LEAVE db-4 → 4",
    "2,          , true,  1, LEAVE db-1 → 1",
    "1,          , true,  2, JOIN db-1 → 2",
    // a move that has begun
    "3, +db-3    , true,  5, JOIN db-3 → 4",
    "4, +db-3    , true,  5, JOIN db-3 → 4",
    "4, +db-3    , true,  4, JOIN db-3 → 4",
    "3, +db-3    , true,  3, LEAVE db-3 → 3",
    "4, +db-3    , true,  3, LEAVE db-3 → 3",
    "4, +db-3    , true,  2, LEAVE db-3 → 3",
    "4, -db-3    , true,  5, LEAVE db-3 → 3",
    "3, -db-3    , true,  5, LEAVE db-3 → 3",
    "3, -db-3    , true,  3, LEAVE db-3 → 3",
    // no pods, because the App was stopped
    "3,          , false, 3, ''",
    "5,          , false, 3, 5 come back",
    "5, -db-4    , false, 5, 5 come back",
    // nothing is to be there, or nothing ever was
    "5,          , true,  0, ''",
    "0,          , false, 3, ''",
  })
  void shouldMoveOneAtATime(
      int count, String moving, boolean running, int target, String expected) {
    // Given
    var ready = IntStream.range(0, count).mapToObj(Integer::toString).collect(joining(" "));
    // When
    var next = next(count, moving, new Pods(running, false, pods(ready)), target).step();
    // Then
    assertThat(next.map(NextMemberTest::text).orElse("")).isEqualTo(expected);
  }

  /**
   * @param ready the numbers of the pods that are ready
   */
  @ParameterizedTest(name = "{0} members{1}, ready {2}, new {3}, to have {4}: {5}")
  @CsvSource({
    // the edit may repair those that stay
    "3,          , 0 2,     false, 5, 3 recover",
    "3, +db-3    , 0 2,     false, 5, 3 recover",
    "3,          , 0 2,     false, 2, 3 recover",
    "3,          , '',      false, 2, 3 recover",
    "3, -db-2    , 0 2,     false, 3, 3 recover",
    "4, +db-3    , 0 2,     false, 4, 4 recover",
    // what joins is there already: its own step repairs it
    "4, +db-3    , 0 1 2,   false, 4, JOIN db-3 → 4",
    // a broken pod leaves at once, if anybody can be told
    "3,          , 0 1,     false, 2, LEAVE db-2 → 2",
    "3,          , 0,       false, 2, LEAVE db-2 → 2",
    "4, +db-3    , 0 1,     false, 3, LEAVE db-3 → 3",
    "5,          , 0 1 2,   true,  3, LEAVE db-4 → 4",
    // those that leave after it never come back
    "5,          , 0 1 2 4, false, 3, LEAVE db-4 → 4",
    "6,          , 0 1 5,   false, 2, LEAVE db-5 → 5",
    // a new group begins anew, as long as nobody can be told
    "5,          , '',      true,  3, 3 recover",
    "3,          , '',      true,  5, 5 recover",
    "3,          , '',      true,  3, ''",
    "5,          , 0 1 2,   true,  7, 5 recover",
  })
  void shouldBringMembersBackFirst(
      int count, String moving, String ready, boolean isNew, int target, String expected) {
    // When
    var next = next(count, moving, new Pods(true, isNew, pods(ready)), target).step();
    // Then
    assertThat(next.map(NextMemberTest::text).orElse("")).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} members{1}, running {2}, to have {3}: not waited for {4}")
  @CsvSource({
    "5,          , true,  3, db-3 db-4",
    "3,          , true,  3, ''",
    "3,          , true,  5, ''",
    "5, -db-4    , true,  5, db-4",
    "5, -db-4    , true,  4, db-4",
    "4, -db-4    , true,  4, ''",
    "5,          , false, 3, ''",
    // the middleware may have forgotten it
    "5, -db-4    , false, 3, db-4",
    "5, +db-4    , false, 5, ''",
  })
  void shouldNotWaitForThoseThatLeave(
      int count, String moving, boolean running, int target, String expected) {
    var next = next(count, moving, Pods.UNKNOWN, target);

    assertThat(String.join(" ", next.leaving(count, running))).isEqualTo(expected);
  }

  private static NextMember next(int count, String moving, Pods pods, int target) {
    var members = new GroupMembers(count, Optional.ofNullable(moving).map(NextMemberTest::moving));
    return new NextMember(members, pods, target, place -> "db-" + place);
  }

  private static Set<String> pods(String numbers) {
    return Stream.of(numbers.split(" "))
        .filter(it -> !it.isEmpty())
        .map("db-"::concat)
        .collect(toSet());
  }

  private static String text(GroupWrite step) {
    return switch (step) {
      case MemberMove move -> "%s %s → %d".formatted(move.direction(), move.pod(), move.members());
      case MembersReturn(var members, var running) ->
          members + (running ? " recover" : " come back");
      default -> step.toString();
    };
  }

  private static Moving moving(String text) {
    return new Moving(
        text.startsWith("+") ? Direction.JOIN : Direction.LEAVE, text.substring(1).strip());
  }
}
