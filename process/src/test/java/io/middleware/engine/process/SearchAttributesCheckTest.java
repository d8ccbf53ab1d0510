package io.middleware.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.middleware.engine.process.Health.Bad;
import io.middleware.engine.process.Health.Good;
import io.middleware.engine.process.Health.Unknown;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.common.SearchAttributeKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SearchAttributesCheckTest {
  private static final SearchAttributeKey<String> APP =
      SearchAttributeKey.forKeyword("MiddlewareApp");
  private static final SearchAttributeKey<Long> GENERATION =
      SearchAttributeKey.forLong("MiddlewareGeneration");

  private Map<String, IndexedValueType> present =
      Map.of(APP.getName(), IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD);
  private long now;

  @Test
  void shouldNameWhatIsMissing() {
    assertThat(check(APP, GENERATION, SearchAttributeKey.forLong("MiddlewareTask")).look())
        .isEqualTo(
            new Bad(
                "namespace shop lacks MiddlewareGeneration (INT), MiddlewareTask (INT): run"
                    + " temporal-config/bootstrap"));
  }

  @Test
  void shouldNotTakeAnAttributeOfAnotherType() {
    assertThat(check(SearchAttributeKey.forLong(APP.getName())).look())
        .isInstanceOfSatisfying(
            Bad.class, bad -> assertThat(bad.reason()).contains("MiddlewareApp (INT)"));
  }

  @Test
  void shouldAskAgainAfterAWhile() {
    // Given
    var check = check(APP);
    assertThat(check.look()).isEqualTo(new Good());
    present = Map.of();
    // When, Then
    now += Duration.ofSeconds(14).toNanos();
    assertThat(check.look()).isEqualTo(new Good());
    now += Duration.ofSeconds(2).toNanos();
    assertThat(check.look()).isInstanceOf(Bad.class);
  }

  @Test
  void shouldSayThatNothingIsKnownWhileTemporalIsAway() {
    present = null;
    assertThat(check(APP).look())
        .isEqualTo(
            new Unknown(
                "Temporal does not say which search attributes namespace shop has: UNAVAILABLE"));
  }

  private SearchAttributesCheck check(SearchAttributeKey<?>... required) {
    return new SearchAttributesCheck(this::search, "shop", List.of(required), () -> now);
  }

  private Map<String, IndexedValueType> search() {
    if (present == null) {
      throw Status.UNAVAILABLE.asRuntimeException();
    }
    return present;
  }
}
