package io.middleware.engine.planning.derived;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.UsedComponent;
import io.middleware.engine.planning.derived.UsedApps.UseCycle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UseCycleTest {
  private final List<String> read = new ArrayList<>();

  @Test
  void shouldNameAllAppsOfACircle() {
    // Given
    var others = Map.of("b", uses("d", "c"), "c", uses("a"), "d", uses());
    // When
    var problem = cycle(others).of("a", uses("b"));
    // Then
    assertThat(problem.orElseThrow()).contains("(a → b → c → a)");
  }

  /** Of which there are more than a plan has time for. */
  @Test
  void shouldReadEachAppOnceHoweverManyPathsLeadToIt() {
    // Given
    var others =
        Map.of(
            "b",
            uses("c", "d"),
            "c",
            uses("d", "e"),
            "d",
            uses("e", "c"),
            "e",
            uses("f", "b"),
            "f",
            uses());
    // When
    var problem = cycle(others).of("a", uses("b", "c"));
    // Then
    assertThat(problem).isEmpty();
    assertThat(read).doesNotHaveDuplicates().hasSize(5);
  }

  private UseCycle cycle(Map<String, List<UsedComponent>> others) {
    return new UseCycle(
        name -> {
          read.add(name);
          return others.get(name);
        });
  }

  private static List<UsedComponent> uses(String... apps) {
    return Stream.of(apps).map(app -> new UsedComponent(app, "db")).toList();
  }
}
