package io.middleware.engine.api.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExcerptTest {

  @ParameterizedTest
  @CsvSource({"abc, abc", "abcd, abcd", "abcde, abcd"})
  void shouldGiveTheFirstCharacters(String text, String expected) {
    assertThat(Excerpt.start(text, 4)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"abc, abc", "abcd, abcd", "abcde, abcd…"})
  void shouldAddAnEllipsisAfterTheFirstCharacters(String text, String expected) {
    assertThat(Excerpt.of(text, 4)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"abc, abc", "abcd, abcd", "abcde, abc…"})
  void shouldKeepToALengthWithTheEllipsis(String text, String expected) {
    assertThat(Excerpt.within(text, 4)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"abc, abc", "abcde, abcd", "abc-e, abc", "ab.-e, ab", "a-b., a-b"})
  void shouldBeginANameWithAName(String name, String expected) {
    assertThat(Excerpt.ofName(name, 4)).isEqualTo(expected);
  }

  @Test
  void shouldLeaveCleanTextAsItIs() {
    assertThat(Excerpt.of("a  b → 主 🙂 ", 50)).isEqualTo("a  b → 主 🙂 ");
  }

  @Test
  void shouldLeaveNoTextAsItIs() {
    assertThat(Excerpt.within(null, 4)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "short, 10, short",
    "exactly-10, 10, exactly-10",
    "too-long-a-text, 10, too-lon…",
    "→→→→, 10, →→…",
    "ab😀😀, 8, ab…"
  })
  void shouldCutByBytesBetweenCharacters(String text, int longest, String expected) {
    assertThat(Excerpt.withinBytes(text, longest)).isEqualTo(expected);
  }
}
