package io.middleware.engine.agent.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.agent.replication.ReplicationMark.Standing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicationMarkTest {
  private static final String HISTORY = "cbae6126e150fd10543e43b211881ac6dac4e27f";

  @ParameterizedTest
  @EnumSource
  void shouldReadWhatItWrites(Standing standing) {
    var mark =
        new ReplicationMark(
            "0123abcd", 999_999_999_999_999_999L, standing, HISTORY, 999_999_999_999_999_999L);

    assertThat(ReplicationMark.parse(mark.text())).contains(mark);
    assertThat(mark.text()).matches("[A-Za-z0-9.-]{1,255}"); // what Redis takes for a host name
  }

  @Test
  void shouldReadAPodWithoutAMark() {
    assertThat(ReplicationMark.parse(ReplicationMark.NONE.text())).contains(ReplicationMark.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "db-0.example.org", "mark1..1.LEADER..0", "mark1.a.1.PRIMARY.b", "mark1"})
  void shouldTakeNothingElseForAMark(String text) {
    assertThat(ReplicationMark.parse(text)).isEmpty();
  }
}
