package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.activities.objects.GroupMembers;
import io.middleware.engine.activities.objects.GroupMembers.Moving;
import io.middleware.engine.workflows.port.GroupWrite.MembersReturn;
import io.middleware.engine.workflows.port.MemberMove;
import io.middleware.engine.workflows.port.MemberMove.Direction;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NextMemberTest {

  /**
   * Of pods db-0, db-1 and so on.
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
    var members = new GroupMembers(count, Optional.ofNullable(moving).map(NextMemberTest::moving));
    // When
    var next = new NextMember(members, running, target, place -> "db-" + place).step();
    // Then
    assertThat(
            next.map(
                    step ->
                        switch (step) {
                          case MemberMove move ->
                              "%s %s → %d".formatted(move.direction(), move.pod(), move.members());
                          case MembersReturn stopped -> stopped.members() + " come back";
                          default -> step.toString();
                        })
                .orElse(""))
        .isEqualTo(expected);
  }

  private static Moving moving(String text) {
    return new Moving(
        text.startsWith("+") ? Direction.JOIN : Direction.LEAVE, text.substring(1).strip());
  }
}
