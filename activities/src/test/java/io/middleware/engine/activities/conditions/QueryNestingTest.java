package io.middleware.engine.activities.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryNestingTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "up",
        "sum(rate(x{a=\"b\", c=~'d)'}[5m])) by (e)",
        "x{a=\"\\\")\"}",
        "x{a=`\\`}",
        "up # a comment (with ( parentheses",
        "up # a comment\n + on() (x)",
        "\tup\n",
      })
  void shouldBeClosed(String query) {
    assertThat(QueryNesting.isClosed(query)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "up)",
        "up) or (x",
        "(up",
        "(up]",
        "x{a=\"b}",
        "x{a=`b",
        "x{a='\\'}",
        "# comment\n) or (x",
        "vector(0) #\r), \"a\", \"0\", \"\", \"\") or label_replace(vector(1)",
        "up #\r\n",
        "up\u0000",
        "up \u0085",
      })
  void shouldNotBeClosed(String query) {
    assertThat(QueryNesting.isClosed(query)).isFalse();
  }
}
