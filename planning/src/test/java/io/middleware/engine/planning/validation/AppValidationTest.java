package io.middleware.engine.planning.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.planning.Fixtures;
import io.middleware.engine.planning.app.Refusal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AppValidationTest {
  static Stream<Arguments> refusals() {
    var cases = (List<?>) Fixtures.yaml(Fixtures.ROOT.resolve("refusals.yaml"));
    return cases.stream().map(one -> Arguments.of(((Map<?, ?>) one).get("case"), one));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void shouldRefuseWithReasonAndWords(String name, Map<String, Object> refused) {
    // Given
    var fixtures = new Fixtures(Fixtures.ROOT, refused);
    // When
    var refusal =
        AppValidation.refusal(fixtures.desiredApp(), fixtures.observedApp(), Fixtures.ENDPOINTS);
    // Then
    assertThat(refusal)
        .contains(new Refusal(refused.get("reason").toString(), refused.get("message").toString()));
  }
}
