package io.middleware.engine.api.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.schema.HostileTexts;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlainTextTest {

  @Test
  void shouldLeaveTextAlone() {
    assertThat(PlainText.clean("主节点 is 2 MiB behind (40 %) 🙂"))
        .isEqualTo("主节点 is 2 MiB behind (40 %) 🙂");
    assertThat(PlainText.clean("")).isEmpty();
  }

  @Test
  void shouldMakeOneLineWithoutControlAndFormatCharacters() {
    assertThat(
            PlainText.clean("\u001b[2J\u001b]0;x\u0007a\r\nb\tc\u202ed\u2066e\u200bf\u2028g\ud800"))
        .isEqualTo("[2J ]0;x a b c d e f g");
    assertThat(PlainText.clean(" \n\t ")).isEmpty();
  }

  @Test
  void shouldKeepTheLinesOfAnOutput() {
    assertThat(PlainText.lines("a\tb\n  c\u001b[2J\u202ed\r\u0007\u2066e"))
        .isEqualTo("a\tb\n  c[2Jde");
  }

  @Test
  void shouldLetNothingThroughByAnyDoor() {
    assertThat(HostileTexts.of("the pod says no", 300))
        .allSatisfy(
            text ->
                assertThat(
                        List.of(
                            PlainText.clean(text),
                            Excerpt.start(text, 50),
                            Excerpt.of(text, 50),
                            Excerpt.within(text, 50),
                            Excerpt.withinBytes(text, 50)))
                    .allSatisfy(
                        clean ->
                            assertThat(clean)
                                .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]")));
  }

  @Test
  void shouldCutWhatIsTooLong() {
    assertThat(PlainText.clean("x".repeat(300))).hasSize(300);
    assertThat(PlainText.clean("x".repeat(100_000))).hasSize(301).endsWith("x…");
    assertThat(PlainText.clean("🙂🙂🙂", 2)).isEqualTo("🙂🙂…");
  }
}
