package io.middleware.engine.render.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelUnknownSet;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CelValuesTest {
  private static final CelUnknownSet UNKNOWN = CelUnknownSet.create(1L);

  static Stream<Object> unusable() {
    return Stream.of(
        UNKNOWN,
        List.of(UNKNOWN),
        Map.of("a", List.of(Map.of("b", UNKNOWN))),
        Optional.of(UNKNOWN),
        Instant.EPOCH,
        Double.NaN,
        Map.of(1L, "a"),
        new Object());
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void shouldRefuseWhatYamlCannotSay(Object result) {
    assertThatThrownBy(() -> CelValues.toPlain(result)).isInstanceOf(UnusableResultException.class);
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void shouldRefuseItInsideATextToo(Object result) {
    assertThatThrownBy(() -> CelValues.toText(result)).isInstanceOf(UnusableResultException.class);
  }

  @Test
  void shouldGiveWhatYamlReadersGive() throws UnusableResultException {
    // Given
    var result =
        List.of(
            1L,
            1L << 40,
            1.0,
            -0.5,
            1e300,
            true,
            CelByteString.copyFromUtf8("x"),
            NullValue.NULL_VALUE,
            Optional.empty(),
            Optional.of(Map.of("a", NullValue.NULL_VALUE)));
    // When
    var plain = CelValues.toPlain(result);
    // Then
    assertThat(plain).contains(List.of(1, 1L << 40, 1, -0.5, 1e300, true, "eA==", Map.of()));
  }
}
