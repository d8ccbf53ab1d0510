package io.middleware.engine.activities.testing;

import static io.middleware.engine.activities.testing.IntegrationTestScene.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.middleware.engine.activities.testing.load.LoadScene;
import io.middleware.engine.api.testing.TestCheckResult;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.planning.condition.AnsweringServer;
import io.middleware.engine.planning.condition.AnsweringServer.Answer;
import io.middleware.engine.planning.condition.EndpointPolicy;
import io.middleware.engine.planning.condition.HttpSources;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that ask Prometheus and a webhook. */
@ExtendWith(ApiServer.class)
class ConditionSourcesIT {
  private static final String SAMPLES =
      "{\"data\": {\"resultType\": \"vector\", \"result\": [{\"value\": [1, \"%s\"]}]}}";
  private static final String WEBHOOK = "{webhook: {url: '%s/verify', params: {level: strict}}}";

  private final AnsweringServer server = new AnsweringServer();
  private final HttpSources http =
      HttpSources.of(EndpointPolicy.of(List.of(server.host()), server.url()));
  private final IntegrationTestScene scene;
  private final LoadScene loads;

  ConditionSourcesIT(LocalNamespace cluster) throws IOException {
    this.scene = new IntegrationTestScene(cluster, http);
    this.loads = new LoadScene(cluster, http);
  }

  @AfterEach
  void close() {
    http.close();
    server.close();
  }

  /** The webhook passes, and Prometheus has this sample. */
  private void serve(String sample) {
    server.answers(
        question ->
            question.startsWith("query=")
                ? new Answer(200, SAMPLES.formatted(sample))
                : new Answer(200, "{\"passed\": true, \"actual\": \"serves\"}"));
  }

  @Test
  void shouldAskPrometheusAndAWebhookInAStep() {
    // Given
    serve("0.25");
    var test =
        scene.running(
            """
            ready: {allOf: [%1$s]}, checks: [{name: calm, allOf: [{prometheus: {query: \
            "errors{namespace='$(namespace)', test='$(test)', step='$(step)'}", \
            cel: "result[0] < 1.0 && round == 1"}}, %1$s]}]\
            """,
            WEBHOOK.formatted(server.url()));
    // When
    scene.activities.awaitReady(scene.step(test));
    scene.activities.checkStep(scene.step(test));
    // Then
    assertThat(scene.status(test).steps().getFirst().checks())
        .extracting(TestCheckResult::name, TestCheckResult::passed, TestCheckResult::actual)
        .containsExactly(tuple("calm", true, "result = [0.25]; serves"));
    assertThat(server.questions)
        .anyMatch(it -> it.startsWith("/verify {\"params\":{\"level\":\"strict\"},\"state\":{"))
        .anyMatch(it -> it.contains("\"step\":\"up\"") && it.contains("\"round\":1"))
        .anyMatch(it -> it.startsWith("/api/v1/query") && it.contains("step%3D%27up%27"));
  }

  @Test
  void shouldNameTheSampleThatIsWrong() {
    // Given
    serve("3");
    var test =
        scene.running(
            "checks: [{name: calm, within: 1s, allOf: [{prometheus: {query: errors, cel: 'result[0] < 1.0'}}]}]");
    // When Then
    assertFails("CheckFailed", () -> scene.activities.checkStep(scene.step(test)))
        .hasMessageContaining(
            "check calm did not hold within 1s: result = [3.0], expected result[0] < 1.0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slow     | not known: %s/verify has not answered within 5 s",
        "away     | not known: %s/verify cannot be reached",
        "busy     | not known: %s/verify answers 503: later",
        "huge     | %s/verify: the answer is longer than 64 KiB",
        "redirect | %s/verify redirects (302), which is not followed",
        "text     | %s/verify: the answer is not valid JSON: all is well",
      })
  void shouldSayWhatIsWrongWithAWebhook(String trouble, String why) {
    // Given
    server.answers(question -> answer(trouble));
    var test =
        scene.running(
            "checks: [{name: verified, within: 1s, allOf: [%s]}]", WEBHOOK.formatted(server.url()));
    // When Then
    assertFails("CheckFailed", () -> scene.activities.checkStep(scene.step(test)))
        .hasMessageContaining(
            "check verified did not hold within 1s: " + why.formatted(server.url()));
  }

  private static Answer answer(String trouble) {
    return switch (trouble) {
      case "slow" -> {
        sleep(10_000);
        yield new Answer(200, "{\"passed\": true}");
      }
      case "away" -> new Answer(0, "");
      case "busy" -> new Answer(503, "later");
      case "huge" ->
          new Answer(200, "{\"passed\": true, \"x\": \"%s\"}".formatted("x".repeat(1 << 20)));
      case "redirect" -> new Answer(302, "");
      default -> new Answer(200, "all is well");
    };
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void shouldWaitForPrometheusUntilTheTimeIsOver() {
    // Given
    server.close();
    var test =
        scene.running(
            "checks: [{name: calm, within: 2s, allOf: [{prometheus: {query: errors, cel: 'result[0] < 1.0'}}]}]");
    // When Then
    assertFails("CheckFailed", () -> scene.activities.checkStep(scene.step(test)))
        .hasMessageContaining("check calm did not hold within 2s: not known: " + server.url())
        .hasMessageContaining("cannot be reached");
  }

  @Test
  void shouldRefuseWhatCannotBeAsked() {
    // Given
    var test =
        scene.create(
            """
            steps:
            - name: up
              ready: {anyOf: [{webhook: {url: "http://elsewhere.example.com/verify"}}]}
              checks: [{name: calm, allOf: [{prometheus: {query: "a{x='$(target)'}", cel: "reslt[0] < 1.0"}}]}]
            """);
    // When
    var refusal = scene.begin(test).refusal().orElseThrow();
    // Then
    assertThat(refusal.reason()).isEqualTo("InvalidSpec");
    assertThat(refusal.message())
        .contains(
            "spec.steps[0].ready.anyOf[0].webhook.url: host elsewhere.example.com is not in the"
                + " engine's setting checks.hosts",
            "spec.steps[0].checks[calm].allOf[0].prometheus.query: unknown placeholder $(target)",
            "spec.steps[0].checks[calm].allOf[0].prometheus.cel (1:1): undeclared reference to 'reslt'");
  }

  @Test
  void shouldAskWhileALoadRuns() {
    // Given
    loads.createTarget("target", Map.of());
    loads.allow("loads");
    serve("0.25");
    var test =
        loads.create(
            it ->
                it.replace(
                        "{cel: \"target.data.healthy == 'true'\"}",
                        "{prometheus: {query: \"errors{app='$(target)'}\", cel: \"result[0] < 1.0\"}}, "
                            + WEBHOOK.formatted(server.url()))
                    + "  duration: 2s\n");
    var run = loads.begin(test);
    // When
    var result = loads.activities().runLoad(run);
    // Then
    assertThat(result.counts().checks()).isEqualTo(2);
    assertThat(loads.status(test).lastResults())
        .extracting(TestCheckResult::actual)
        .containsExactly("result = [0.25]", "serves");
    assertThat(server.questions).anyMatch(it -> it.contains("app%3D%27target%27"));
  }

  /** Nothing has shown that it holds. */
  @Test
  void shouldCountAsAFailureWhatALoadCannotAsk() {
    // Given
    loads.createTarget("target", Map.of());
    loads.allow("loads");
    serve("0.25");
    var test =
        loads.create(
            it ->
                it.replace(
                    "{cel: \"target.data.healthy == 'true'\"}",
                    "{prometheus: {query: errors, cel: 'result[0] < 1.0'}}"));
    var run = loads.begin(test);
    server.close();
    // When Then
    assertFails("CheckFailed", () -> loads.activities().runLoad(run))
        .hasMessageContaining("it did not hold 3 times in a row: not known: " + server.url());
  }
}
