package io.middleware.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
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
    assertThat(check(APP, GENERATION, SearchAttributeKey.forLong("MiddlewareTask")).problem())
        .contains(
            "namespace shop lacks MiddlewareGeneration (INT), MiddlewareTask (INT): run"
                + " temporal-config/bootstrap");
  }

  @Test
  void shouldNotTakeAnAttributeOfAnotherType() {
    assertThat(check(SearchAttributeKey.forLong(APP.getName())).problem())
        .hasValueSatisfying(problem -> assertThat(problem).contains("MiddlewareApp (INT)"));
  }

  @Test
  void shouldAskAgainAfterAWhile() {
    // Given
    var check = check(APP);
    assertThat(check.problem()).isEmpty();
    present = Map.of();
    // When, Then
    now += Duration.ofSeconds(14).toNanos();
    assertThat(check.problem()).isEmpty();
    now += Duration.ofSeconds(2).toNanos();
    assertThat(check.problem()).isPresent();
  }

  @Test
  void shouldLeaveItToOthersToSayThatTemporalIsAway() {
    present = null;
    assertThat(check(APP).problem()).isEmpty();
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
