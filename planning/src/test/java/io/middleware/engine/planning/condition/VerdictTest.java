package io.middleware.engine.planning.condition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private static final Verdict HOLDS = new Verdict.Holds("db-0: lag = 0");
  private static final Verdict LAGS = new Verdict.DoesNotHold("db-1: lag = 5", "db-1 lags");
  private static final Verdict STOPPED = new Verdict.DoesNotHold("db-2: lag = 7", "db-2 lags");
  private static final Verdict UNKNOWN = new Verdict.NotKnown("db-3 is silent");

  @Test
  void shouldNeedAll() {
    assertThat(Verdict.ofAll(List.of(HOLDS, HOLDS))).isEqualTo(HOLDS);
    assertThat(Verdict.ofAll(List.of(HOLDS, LAGS, UNKNOWN, STOPPED)))
        .isEqualTo(new Verdict.DoesNotHold("db-1: lag = 5; db-2: lag = 7", "db-1 lags; db-2 lags"));
    assertThat(Verdict.ofAll(List.of(HOLDS, UNKNOWN))).isEqualTo(UNKNOWN);
  }

  @Test
  void shouldNeedOne() {
    assertThat(Verdict.ofAny(List.of(LAGS, UNKNOWN, HOLDS))).isEqualTo(HOLDS);
    assertThat(Verdict.ofAny(List.of(LAGS, STOPPED)))
        .isEqualTo(new Verdict.DoesNotHold("db-1: lag = 5; db-2: lag = 7", "db-1 lags; db-2 lags"));
    assertThat(Verdict.ofAny(List.of(LAGS, UNKNOWN))).isEqualTo(UNKNOWN);
  }

  @Test
  void shouldShowTheFirstOfMany() {
    var many =
        IntStream.range(0, 20)
            .<Verdict>mapToObj(i -> new Verdict.Holds("db-%d: lag = 0".formatted(i)))
            .toList();
    assertThat(Verdict.ofAll(many).found())
        .startsWith("db-0: ")
        .endsWith("7: lag = 0; and 12 more");
  }

  @Test
  void shouldSayThatItIsNotKnown() {
    assertThat(UNKNOWN.message()).isEqualTo("not known: db-3 is silent");
    assertThat(UNKNOWN.found()).isEmpty();
  }
}
