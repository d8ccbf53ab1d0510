package io.middleware.engine.agent.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberedNameTest {
  @ParameterizedTest
  @CsvSource({
    "db-0, db, 0",
    "cache-redis-nodes-shard-1-12, cache-redis-nodes-shard-1, 12",
    "all, all, -1",
    "db-, db-, -1",
    "db-1x, db-1x, -1",
    "-7, '', 7",
    "db-1234567890123456789, db-1234567890123456789, -1",
  })
  void shouldSeparateStemAndNumber(String name, String stem, long number) {
    assertThat(NumberedName.of(name)).isEqualTo(new NumberedName(stem, number));
  }

  @Test
  void shouldOrderByNumber() {
    // Given
    var names = Stream.of("db-10", "db-9", "alpha-11", "db-0", "db");

    // When
    var sorted = names.map(NumberedName::of).sorted();

    // Then
    assertThat(sorted)
        .containsExactlyElementsOf(
            Stream.of("alpha-11", "db", "db-0", "db-9", "db-10").map(NumberedName::of).toList());
  }
}
