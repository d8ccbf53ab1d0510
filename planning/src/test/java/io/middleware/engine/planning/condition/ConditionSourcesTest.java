package io.middleware.engine.planning.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.render.expression.ConditionExpression;
import io.middleware.engine.render.expression.ConditionScope;
import io.middleware.engine.render.expression.ObjectSource;
import io.middleware.engine.render.expression.UnreadableObjectException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Expressions over objects; queries and webhooks are tests of their own. */
class ConditionSourcesTest {
  private static final ObjectSource CACHE =
      (apiVersion, kind, name) -> {
        if (!name.equals("cache")) {
          throw new UnreadableObjectException("%s %s does not exist".formatted(kind, name));
        }
        return Map.of("status", Map.of("phase", "Changing"));
      };

  private static final Supplier<Object> NOT_READ =
      () -> {
        throw new AssertionError("no expression reads it");
      };

  private final HttpSources http = HttpSources.of(EndpointPolicy.unknown());

  @Test
  void shouldShowWhatATestHasRead() throws InterruptedException {
    assertThat(ofTest("object('App', 'cache').status.phase == 'Ready'"))
        .isEqualTo(
            new Verdict.DoesNotHold(
                "object('App', 'cache').status.phase = Changing",
                "object('App', 'cache').status.phase = Changing, expected object('App',"
                    + " 'cache').status.phase == 'Ready'"));
    assertThat(ofTest("test == 'up'")).isEqualTo(new Verdict.Holds("test = up"));
    assertThat(ofTest("true")).isEqualTo(new Verdict.Holds("true"));
  }

  @Test
  void shouldSayWhatATestHasReadBeforeItWasUndecided() throws InterruptedException {
    assertThat(ofTest("test == 'up' && object('App', 'none').a == 1"))
        .isEqualTo(
            new Verdict.NotKnown(
                "test == 'up' && object('App', 'none').a == 1: App none does not exist (test ="
                    + " up)"));
  }

  @Test
  void shouldShowTheVariablesOfACheck() throws InterruptedException {
    assertThat(ofCheck("replicas == 3", "replicas = 2"))
        .isEqualTo(new Verdict.DoesNotHold("replicas = 2", "replicas = 2, expected replicas == 3"));
    assertThat(ofCheck("replicas == 2", "replicas = 2"))
        .isEqualTo(new Verdict.Holds("replicas = 2"));
    assertThat(ofCheck("replicas / 0 == 1", "replicas = 2").message())
        .startsWith("not known: replicas = 2: replicas / 0 == 1: ")
        .doesNotContain("(replicas");
  }

  @Test
  void shouldShowNothingOfACheckThatReadsObjectsAlone() throws InterruptedException {
    var ready = "object('App', 'cache').status.phase == 'Ready'";
    assertThat(ofCheck(ready, "")).isEqualTo(new Verdict.DoesNotHold("", "expected " + ready));
    assertThat(ofCheck("object('App', 'none').a == 1", "").message())
        .isEqualTo("not known: object('App', 'none').a == 1: App none does not exist");
  }

  private Verdict ofTest(String cel) throws InterruptedException {
    var variables = Map.<String, Supplier<Object>>of("test", () -> "up", "objects", NOT_READ);
    return new ConditionSources(variables, it -> Optional.empty(), CACHE, Map.of(), http)
        .verdict(
            new Condition.OfObjects(ConditionExpression.of(ConditionScope.INTEGRATION_TEST, cel)));
  }

  private Verdict ofCheck(String cel, String shown) throws InterruptedException {
    var variables = Map.<String, Supplier<Object>>of("replicas", () -> 2, "nodes", NOT_READ);
    return new ConditionSources(variables, it -> Optional.of(shown), CACHE, Map.of(), http)
        .verdict(new Condition.OfObjects(ConditionExpression.of(ConditionScope.GROUP, cel)));
  }
}
