package io.middleware.engine.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks a real HTTP server. */
class HttpCallTest {
  private final HttpCalls calls = new HttpCalls(CommandPlace.here());
  private final CountDownLatch silence = new CountDownLatch(1);
  private final AtomicReference<String> received = new AtomicReference<>("");
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    serve("/patroni", 200, "{\"role\": \"primary\", \"lag\": 7, \"rate\": 0.5, \"tags\": null}");
    serve("/replica", 503, "not the leader");
    serve("/config", 200, "{\"max\": \"8\"}");
    serve("/big", 200, "x".repeat(65 * 1024));
    server.createContext(
        "/silent",
        exchange -> {
          try {
            silence.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    silence.countDown();
    server.stop(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          role        | GET /patroni | status == 200 ? body.role : ''          | 0 | primary |
          role        | GET /replica | status == 200 ? 'primary' : 'replica'   | 0 | replica |
          role        | GET /replica | status == 200 ? 'primary' : ''          | 3 |         | no answer now
          measure-lag | GET /patroni | body.lag                                | 0 | 7       |
          measure-lag | GET /patroni | body.rate                               | 0 | 0.5     |
          measure-lag | GET /replica | body                                    | 0 | not the leader |
          measure-lag | GET /patroni | body.absent                             | 1 |         | absent
          measure-lag | GET /patroni | body.tags                               | 1 |         | tags
          measure-lag | GET /patroni | body                                    | 1 |         | its expression gives
          measure-lag | GET /big     | "it"                                    | 1 |         | more than 65536 bytes
          safe-to-stop | GET /patroni | status == 200                          | 0 |         |
          safe-to-stop | GET /patroni | status == 204                          | 1 |         | it says no
          safe-to-stop | GET /patroni | "the last one in sync"                 | 2 |         | the last one in sync
          drain       | POST /replica | status == 503 ? 'not the leader' : ''  | 2 |         | not the leader
          drain       | POST /replica | status == 503 ? dyn(true) : "no leader"  | 0 |         |
          reload      | PATCH /config | body                                   | 0 | max=8   |
          """)
  void shouldAnswerByItsExpression(
      String name, String request, String expression, int exitCode, String output, String words)
      throws Exception {
    var answer = call(name, file(request, expression));

    assertThat(answer.exitCode()).isEqualTo(exitCode);
    assertThat(answer.output().strip()).isEqualTo(output == null ? "" : output);
    assertThat(answer.words()).contains(words == null ? "" : words);
    assertThat(answer.timedOut()).isFalse();
  }

  @Test
  void shouldSendABody() throws Exception {
    var file =
        file(
            "POST /patroni",
            "body: {'candidate': env.SUCCESSOR, 'max': int(parameters.max)}\nstatus == 200");

    var answer =
        calls
            .call("switchover", file)
            .call(CommandInput.action(Map.of("SUCCESSOR", "db-2"), "max=7\n"), (message, p) -> {});

    assertThat(answer.succeeded()).isTrue();
    assertThat(received).hasValue("POST application/json {\"candidate\":\"db-2\",\"max\":7}");
  }

  @Test
  void shouldNotWaitLongerThanItsLimit() throws Exception {
    var answer =
        calls
            .call("role", file("GET /silent", "'primary'"))
            .call(CommandInput.question(Duration.ofMillis(200)), (message, p) -> {});

    assertThat(answer.timedOut()).isTrue();
    assertThat(answer.succeeded()).isFalse();
  }

  @Test
  void shouldNotKnowWhatNobodyAnswers() throws Exception {
    var port = server.getAddress().getPort();
    server.stop(0);

    var answer = call("role", "GET http://127.0.0.1:%d/\n'primary'".formatted(port));

    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.words()).contains("does not answer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "http://127.0.0.1/",
        "GET http://10.0.0.7/",
        "GET http://127.0.0.1.example.com/",
        "GET http://127.0.0.1@example.com/",
        "GET https://127.0.0.1/",
        "GET file:///etc/passwd"
      })
  void shouldAskOnlyItsOwnPod(String line) {
    assertThatThrownBy(() -> calls.call("role", line + "\n'primary'"))
        .hasMessageContaining("role.http: the first line must be a method and a URL of this pod");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "body.", "nothing == 1", "body: 1", "body: 'a"})
  void shouldRefuseWhatIsNoExpression(String expression) {
    assertThatThrownBy(() -> calls.call("role", "GET http://127.0.0.1/\n" + expression))
        .hasMessageContaining("FAILED_PRECONDITION: role.http: '")
        .hasMessageContaining("is not an expression");
  }

  private CommandAnswer call(String name, String file) throws InterruptedException {
    return calls.call(name, file).call(CommandInput.action(Map.of()), (message, p) -> {});
  }

  private String file(String request, String expression) {
    var words = request.split(" ", 2);
    return "%s http://127.0.0.1:%d%s\n%s\n"
        .formatted(words[0], server.getAddress().getPort(), words[1], expression);
  }

  private void serve(String path, int status, String answer) {
    server.createContext(
        path,
        exchange -> {
          var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          received.set(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Content-Type")
                  + " "
                  + body);
          var bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          try (var out = exchange.getResponseBody()) {
            out.write(bytes);
          }
        });
  }
}
