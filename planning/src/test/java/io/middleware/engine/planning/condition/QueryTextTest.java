package io.middleware.engine.planning.condition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueryTextTest {
  private static final String QUERY = "up{app=\"$(app)\", pod=~\"$(app)-.*\"} > $(limit)";

  @Test
  void shouldReplacePlaceholders() {
    assertThat(QueryText.filled(QUERY, Map.of("app", "ca$1che", "limit", List.of())))
        .isEqualTo("up{app=\"ca$1che\", pod=~\"ca$1che-.*\"} > $(limit)");
  }

  @Test
  void shouldSayWhichAreUnknown() {
    assertThat(QueryText.problems(QUERY, Set.of("namespace", "app")))
        .containsExactly("unknown placeholder $(limit), known are $(app), $(namespace)");
    assertThat(QueryText.problems("rate(x[1m]) > 0", Set.of())).isEmpty();
  }
}
