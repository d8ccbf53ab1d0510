package io.middleware.engine.planning.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.check.AgentCondition;
import io.middleware.engine.api.check.CheckCondition;
import io.middleware.engine.api.check.PrometheusCondition;
import io.middleware.engine.api.check.WebhookCondition;
import io.middleware.engine.api.testing.TestCondition;
import io.middleware.engine.render.expression.ConditionScope;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConditionProblemsTest {
  private static final EndpointPolicy ENDPOINTS =
      EndpointPolicy.of(List.of("verify"), "http://prometheus");
  private static final WebhookCondition ELSEWHERE =
      new WebhookCondition("http://elsewhere", null, null);

  private final ConditionProblems ofTest =
      new ConditionProblems(ConditionScope.LOAD_TEST, ENDPOINTS);
  private final ConditionProblems ofCheck =
      new ConditionProblems(ConditionScope.COMPONENT, ENDPOINTS);

  @Test
  void shouldSayWhereAConditionOfATestIsWrong() {
    assertThat(
            ofTest.ofTest(
                "spec.ready",
                false,
                List.of(
                    new TestCondition("target.kind == 'App'", null, null),
                    new TestCondition("step == 'up'", null, null),
                    new TestCondition(null, null, ELSEWHERE))))
        .containsExactly(
            "spec.ready.anyOf[1].cel (1:1): undeclared reference to 'step' (in container '')",
            "spec.ready.anyOf[2].webhook.url: host elsewhere is not in the engine's setting"
                + " checks.hosts");
  }

  @Test
  void shouldFindAllThatIsWrongWithAQuery() {
    var query = new PrometheusCondition("http://elsewhere", "up{a='$(group)'}", "reslt[0] < 1.0");
    assertThat(
            ofCheck.ofCheck(
                "checks[calm]",
                true,
                List.of(new CheckCondition(null, null, query, null)),
                Optional.empty()))
        .containsExactly(
            "checks[calm].allOf[0].prometheus.url: host elsewhere is not in the engine's setting"
                + " checks.hosts",
            "checks[calm].allOf[0].prometheus.query: unknown placeholder $(group), known are"
                + " $(app), $(component), $(namespace)",
            "checks[calm].allOf[0].prometheus.cel (1:1): undeclared reference to 'reslt' (in"
                + " container '')");
  }

  @Test
  void shouldSayThatNoAgentWouldAnswer() {
    // Given
    var conditions =
        List.of(
            new CheckCondition(
                null, new AgentCondition("lag", null, "int(answer) < 1"), null, null));
    // When Then
    assertThat(ofCheck.ofCheck("checks[lag]", true, conditions, Optional.of("no agents")))
        .containsExactly("checks[lag].allOf[0].agent: no agents");
    assertThat(ofCheck.ofCheck("checks[lag]", true, conditions, Optional.empty())).isEmpty();
  }
}
