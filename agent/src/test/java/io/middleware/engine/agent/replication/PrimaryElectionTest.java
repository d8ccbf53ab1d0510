package io.middleware.engine.agent.replication;

import static io.middleware.engine.agent.replication.GroupMember.Health.READY;
import static io.middleware.engine.agent.replication.GroupMember.Health.STARTING;
import static io.middleware.engine.agent.replication.GroupMember.Health.TERMINATING;
import static io.middleware.engine.agent.replication.GroupMember.Health.UNREADY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PrimaryElectionTest {
  static Stream<Arguments> established() {
    return Stream.of(
        Arguments.of("it is ready", "db-1", "db-0 ready 5, db-1 ready 5"),
        Arguments.of("it crashed, another is ready", "db-0", "db-0 ready 5, db-1 unready 5"),
        Arguments.of("it goes, another is ready", "db-0", "db-0 ready 5, db-1 terminating 5"),
        Arguments.of(
            "the lowest ready follows",
            "db-2",
            "db-0 unready 5, db-1 terminating 5, " + "db-2 ready 5, db-10 ready 1"),
        Arguments.of(
            "a starting one must wait",
            "db-2",
            "db-0 starting 1, db-1 unready 5, " + "db-2 ready 9"),
        Arguments.of("it crashed and is alone", "db-1", "db-1 unready 5"),
        Arguments.of("it goes, nobody is ready", "db-1", "db-0 unready 5, db-1 terminating 5"),
        Arguments.of("it is gone, one starts", "db-0", "db-0 starting 9"),
        Arguments.of("it is gone, nobody can", "", "db-0 unready 5, db-2 terminating 5"),
        Arguments.of(
            "a promoted one is ready",
            "db-3",
            "db-0 ready 5, db-1 ready 5, db-3 ready 5 promoted, db-4 ready 5 promoted"),
        Arguments.of(
            "a promoted one is not ready", "db-1", "db-1 ready 5, db-2 unready 5 promoted"),
        Arguments.of("all are gone", "", ""));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource
  void established(String when, String primary, String members) {
    // Given
    var primacy = new PrimaryElection(Optional.of(member("db-1 ready 5")), true);

    // When
    var next = primacy.after(members(members));

    // Then
    assertThat(next.primary().map(GroupMember::pod)).isEqualTo(nameOf(primary));
  }

  static Stream<Arguments> first() {
    return Stream.of(
        Arguments.of(
            "a new group begins with its lowest",
            "db-0",
            "db-2 starting 5, " + "db-0 starting 5, db-10 starting 5"),
        Arguments.of("a younger one ready first waits", "db-0", "db-0 starting 5, db-1 ready 5"),
        Arguments.of(
            "oldest after a restart of the agent",
            "db-1",
            "db-0 ready 9, db-1 ready 5, " + "db-2 ready 6"),
        Arguments.of("a restarted one is younger", "db-1", "db-0 starting 9, db-1 ready 5"),
        Arguments.of(
            "crashed and going ones are left out",
            "db-2",
            "db-0 unready 1, " + "db-1 terminating 1, db-2 starting 9"),
        Arguments.of("nobody can", "", "db-0 unready 1"),
        Arguments.of("nobody is there", "", ""));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource
  void first(String when, String primary, String members) {
    assertThat(PrimaryElection.NONE.after(members(members)).primary().map(GroupMember::pod))
        .isEqualTo(nameOf(primary));
  }

  @Test
  void shouldBeEstablishedOnlyOnceReady() {
    // Given
    var starting = PrimaryElection.NONE.after(members("db-1 starting 5"));

    // When
    var withLower = starting.after(members("db-0 starting 5, db-1 starting 5"));

    // Then
    assertThat(withLower.primary().map(GroupMember::pod)).contains("db-0");
    assertThat(withLower.established()).isFalse();
    assertThat(withLower.after(members("db-0 ready 5")).established()).isTrue();
  }

  @Test
  void shouldNotMistakeTheReplacementForThePrimary() {
    // Given
    var primacy = PrimaryElection.NONE.after(members("db-0 ready 1, db-1 ready 1, db-2 ready 1"));

    // When
    var gone = primacy.after(members("db-0 terminating 1, db-1 ready 1, db-2 ready 1"));
    var replaced = gone.after(members("db-0 ready 9, db-1 ready 1, db-2 ready 1"));

    // Then
    assertThat(replaced.primary().map(GroupMember::pod)).contains("db-1");
    assertThat(replaced.isPrimary("uid-db-0-9")).isFalse();
  }

  @Test
  void shouldFindThePreviousPrimaryWhenTheProcessRestartsAfterAnUpgrade() {
    // Given
    var upgraded = members("db-0 ready 9, db-1 ready 7, db-2 ready 8");
    var before =
        PrimaryElection.NONE
            .after(members("db-0 ready 1, db-1 ready 1, db-2 ready 1"))
            .after(members("db-0 ready 1, db-1 ready 7, db-2 ready 8"))
            .after(members("db-0 terminating 1, db-1 ready 7, db-2 ready 8"))
            .after(upgraded);

    // When
    var anew = PrimaryElection.NONE.after(upgraded);

    // Then
    assertThat(anew).isEqualTo(before);
  }

  private static Optional<String> nameOf(String pod) {
    return Optional.of(pod).filter(name -> !name.isEmpty());
  }

  private static List<GroupMember> members(String text) {
    return Stream.of(text.split(", ", -1))
        .filter(member -> !member.isEmpty())
        .map(PrimaryElectionTest::member)
        .toList();
  }

  /** Parses "db-1 ready 5 promoted": pod, health, second of its creation, promotion. */
  private static GroupMember member(String text) {
    var parts = text.split(" ", -1);
    var health =
        switch (parts[1]) {
          case "starting" -> STARTING;
          case "ready" -> READY;
          case "unready" -> UNREADY;
          case "terminating" -> TERMINATING;
          default -> throw new IllegalArgumentException(text);
        };
    var created = Instant.ofEpochSecond(Long.parseLong(parts[2]));
    return new GroupMember(
        "uid-" + parts[0] + "-" + parts[2], parts[0], created, health, parts.length > 3);
  }
}
