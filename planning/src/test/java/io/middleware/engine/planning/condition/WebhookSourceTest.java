package io.middleware.engine.planning.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.check.WebhookCondition;
import io.middleware.engine.planning.condition.AnsweringServer.Answer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSourceTest {
  private final AnsweringServer server = new AnsweringServer();
  private final HttpSources sources = HttpSources.of(EndpointPolicy.of(List.of(server.host()), ""));

  WebhookSourceTest() throws IOException {}

  @AfterEach
  void close() {
    sources.close();
    server.close();
  }

  @Test
  void shouldPostTheQuestionAndTakeTheVerdict() throws InterruptedException {
    // Given
    server.answers(200, "{\"passed\": true, \"actual\": \"lag 3\", \"message\": \"fine\"}");
    // When
    var verdict = ask(new WebhookCondition(url(), "in-sync", Map.of("level", "strict")));
    // Then
    assertThat(verdict).isEqualTo(new Verdict.Holds("lag 3"));
    assertThat(server.questions)
        .containsExactly(
            "/redis?v=1 {\"function\":\"in-sync\",\"params\":{\"level\":\"strict\"},"
                + "\"state\":{\"app\":\"cache\"}}");
  }

  @Test
  void shouldAskWithoutFunctionAndParameters() throws InterruptedException {
    // Given
    server.answers(200, "{\"passed\": false, \"actual\": 7, \"message\": \"7 keys are missing\"}");
    // When
    var verdict = ask();
    // Then
    assertThat(verdict).isEqualTo(new Verdict.DoesNotHold("7", "7 keys are missing"));
    assertThat(server.questions)
        .containsExactly("/redis?v=1 {\"params\":{},\"state\":{\"app\":\"cache\"}}");
  }

  @Test
  void shouldSayThatItDoesNotHoldWhereTheServerSaysNoMore() throws InterruptedException {
    server.answers(200, "{\"passed\": false}");
    assertThat(ask().message()).isEqualTo("the webhook says that it does not hold");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200 | {\"passed\": \"yes\"}   | /redis: the answer has no passed: true or false",
        "200 | <html>welcome</html>    | /redis: the answer is not valid JSON: "
            + "<html>welcome</html>",
        "204 | ''                      | /redis: the answer is not valid JSON:",
        "302 | ''                      | /redis redirects (302), which is not followed",
        "404 | no such page            | /redis answers 404: no such page",
        "403 | {\"error\": \"denied\"} | /redis answers 403: denied",
      })
  void shouldNotHoldWhereTheServerRefuses(int status, String body, String why)
      throws InterruptedException {
    // Given
    server.answers(status, body);
    // When
    var verdict = ask();
    // Then
    assertThat(verdict).isInstanceOf(Verdict.DoesNotHold.class);
    assertThat(verdict.message().strip()).isEqualTo(server.url() + why);
    assertThat(server.questions).hasSize(1);
  }

  @Test
  void shouldMakeOneLineOfPlainTextOfTheAnswer() throws InterruptedException {
    server.answers(
        200,
        "{\"passed\": false, \"actual\": \"a\\u001b[2Jb\", \"message\": \"no\\r\\u0007\\u202e!\\nyes\"}");
    assertThat(ask()).isEqualTo(new Verdict.DoesNotHold("a [2Jb", "no ! yes"));
  }

  @Test
  void shouldNotReadALongAnswer() throws InterruptedException {
    server.answers(200, "{\"passed\": true, \"message\": \"%s\"}".formatted("x".repeat(1 << 16)));
    assertThat(ask())
        .isEqualTo(
            new Verdict.DoesNotHold(
                "no answer", server.url() + "/redis: the answer is longer than 64 KiB"));
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 503, 429, 408})
  void shouldNotKnowWhereTheServerIsInTrouble(int status) throws InterruptedException {
    server.answers(status, "busy");
    assertThat(ask())
        .isEqualTo(
            new Verdict.NotKnown("%s/redis answers %d: busy".formatted(server.url(), status)));
  }

  @Test
  void shouldNotWaitForASlowServer() throws InterruptedException {
    // Given
    var end = new CountDownLatch(1);
    server.answers(question -> await(end));
    // When
    var verdict = sources.brief().webhooks().ask(new WebhookCondition(url(), null, null), Map.of());
    // Then
    assertThat(verdict)
        .isEqualTo(new Verdict.NotKnown(server.url() + "/redis has not answered within 2 s"));
    end.countDown();
  }

  @Test
  void shouldNotKnowWhereNoServerIs() throws InterruptedException {
    server.close();
    assertThat(ask())
        .isInstanceOfSatisfying(
            Verdict.NotKnown.class,
            verdict ->
                assertThat(verdict.why())
                    .startsWith(server.url() + "/redis cannot be reached: ConnectException"));
  }

  @Test
  void shouldNotKnowWhereTheConnectionIsClosed() throws InterruptedException {
    server.answers(0, "");
    assertThat(ask()).isInstanceOf(Verdict.NotKnown.class);
  }

  @Test
  void shouldSendNothingToAHostThatIsNotListed() throws InterruptedException {
    // Given
    var closed = HttpSources.of(EndpointPolicy.of(List.of(), ""));
    // When
    var verdict = closed.webhooks().ask(new WebhookCondition(url(), null, null), Map.of());
    // Then
    assertThat(verdict.message())
        .isEqualTo("host %s is not in the engine's setting checks.hosts".formatted(server.host()));
    assertThat(server.questions).isEmpty();
    closed.close();
  }

  private static Answer await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new Answer(200, "{\"passed\": true}");
  }

  private String url() {
    return server.url() + "/redis?v=1";
  }

  private Verdict ask() throws InterruptedException {
    return ask(new WebhookCondition(url(), null, null));
  }

  private Verdict ask(WebhookCondition condition) throws InterruptedException {
    return sources.webhooks().ask(condition, Map.of("app", "cache"));
  }
}
