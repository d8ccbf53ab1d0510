package io.middleware.engine.planning.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.plugin.ComponentType;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterRulesTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "memory;;1gb;;``",
        "memory;;1tb;;must match ^[0-9]+(kb|mb|gb)$, was \"1tb\"",
        "threads;;9;;must be an integer, was \"9\"",
        "torn;;a;;must match (, which is not a valid pattern (missing closing )) in the plugin, was \"a\"",
        "other;;a;;is not a parameter of type redis, whose parameters are: evil, huge, licence, memory, password, threads, torn",
        "licence;;a-canary;;must match ^[0-9]+$, was (not shown)",
        "licence;;(not shown) 6a1f;;is a mark in place of a value that was not kept: write the value",
        "password;;a-canary;;must match ^[0-9]+$, was (not shown)",
        "huge;;a;;must match ((a{1000}){1000}){1000}, but the pattern is too large, count its repetitions: use smaller ones, was \"a\"",
      },
      delimiterString = ";;")
  void shouldSayWhatAValueMustBe(String name, String value, String problem) {
    // Given
    var checks = checks();
    // When
    var problems = checks.problems("spec.values", Map.of(name, value));
    // Then
    assertThat(String.join("; ", problems))
        .isEqualTo(problem.isEmpty() ? "" : "spec.values." + name + " " + problem);
  }

  @Test
  void shouldNotBeHeldUpByACostlyPattern() {
    // Given
    var checks = checks();
    var value = "a".repeat(1000) + "!";
    // When, Then
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () ->
            assertThat(checks.problems("spec.values", Map.of("evil", value)))
                .singleElement()
                .asString()
                .contains("must match ^(a+)+$"));
  }

  private static ParameterRules checks() {
    return new ParameterRules(
        Serialization.unmarshal(
            """
            name: redis
            parameters:
            - {name: memory, type: string, pattern: "^[0-9]+(kb|mb|gb)$"}
            - {name: threads, type: integer, maximum: 8}
            - {name: evil, pattern: "^(a+)+$"}
            - {name: huge, pattern: "((a{1000}){1000}){1000}"}
            - {name: licence, pattern: "^[0-9]+$", sensitive: true}
            - {name: password, pattern: "^[0-9]+$"}
            - {name: torn, pattern: "("}
            """,
            ComponentType.class));
  }
}
