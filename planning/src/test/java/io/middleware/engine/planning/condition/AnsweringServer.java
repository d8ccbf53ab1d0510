package io.middleware.engine.planning.condition;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A server that gives to every question the answer that the test says. */
public final class AnsweringServer implements AutoCloseable {
  /** The paths and bodies of the questions, in order. */
  public final List<String> questions = new CopyOnWriteArrayList<>();

  private final HttpServer server;
  private volatile Function<String, Answer> answers = question -> new Answer(200, "{}");

  /** What is sent back; a status of 0 closes the connection without an answer. */
  public record Answer(int status, String body) {}

  public AnsweringServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  /** From now on, this is the answer. */
  public void answers(int status, String body) {
    answers(question -> new Answer(status, body));
  }

  /** From now on, the answer depends on the body of the question. */
  public void answers(Function<String, Answer> next) {
    answers = next;
  }

  public String url() {
    return "http://" + host();
  }

  public String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      questions.add(exchange.getRequestURI() + " " + body);
      var answer = answers.apply(body);
      if (answer.status() == 0) {
        return;
      }
      if (answer.status() / 100 == 3) {
        exchange.getResponseHeaders().add("Location", url() + "/elsewhere");
      }
      var bytes = answer.body().getBytes(UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
