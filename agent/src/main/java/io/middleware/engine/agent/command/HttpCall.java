package io.middleware.engine.agent.command;

import com.google.gson.Gson;
import dev.cel.runtime.CelEvaluationException;
import io.middleware.engine.agent.driver.ProgressSink;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A request that answers as a {@link Script} does. Of a question, the text that its expression
 * gives is the answer, and an empty one is none now. Of an action and of {@code safe-to-stop},
 * {@code true} means that it is done or safe, a text that it is refused and why, and a map the
 * parameters in force. What cannot be evaluated is not known.
 */
record HttpCall(
    String name, HttpRequestFile file, Supplier<Map<String, String>> environment, HttpClient client)
    implements CommandFile {
  private static final int LONGEST_BODY = 64 * 1024;
  private static final int UNKNOWN = 1;
  private static final Gson JSON = new Gson();

  @Override
  public CommandAnswer call(CommandInput input, ProgressSink progress) throws InterruptedException {
    var exchange = new FutureTask<>(() -> exchange(input));
    var thread = Thread.startVirtualThread(exchange);
    try {
      return input.timeout().isZero()
          ? awaited(exchange, progress)
          : exchange.get(input.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return new CommandAnswer(name, UNKNOWN, "", "no answer from " + file.url(), true);
    } catch (ExecutionException e) {
      return failed("the request to %s failed: %s".formatted(file.url(), e.getCause()));
    } finally {
      thread.interrupt();
    }
  }

  private CommandAnswer awaited(FutureTask<CommandAnswer> exchange, ProgressSink progress)
      throws InterruptedException, ExecutionException {
    while (true) {
      try {
        return exchange.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        progress.report("waiting for %s %s".formatted(file.method(), file.url()), 0);
      }
    }
  }

  private CommandAnswer exchange(CommandInput input) {
    try {
      var values = values(input);
      var response = client.send(request(values), BodyHandlers.ofInputStream());
      try (var body = response.body()) {
        var bytes = body.readNBytes(LONGEST_BODY + 1);
        if (bytes.length > LONGEST_BODY) {
          return failed("%s answers more than %d bytes".formatted(file.url(), LONGEST_BODY));
        }
        values.put("status", (long) response.statusCode());
        values.put("body", JsonAnswer.in(new String(bytes, StandardCharsets.UTF_8)));
      }
      return answer(file.answer().eval(values));
    } catch (IOException e) {
      return failed("%s does not answer: %s".formatted(file.url(), e));
    } catch (CelEvaluationException e) {
      return failed(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed("interrupted");
    }
  }

  private Map<String, Object> values(CommandInput input) {
    var all = new HashMap<>(environment.get());
    all.putAll(input.variables());
    Map<String, Object> values = new HashMap<>();
    values.put("env", all);
    values.put("parameters", CommandValues.in(input.text()));
    values.put("status", 0L);
    values.put("body", "");
    return values;
  }

  private HttpRequest request(Map<String, Object> values) throws CelEvaluationException {
    var builder = HttpRequest.newBuilder(file.url());
    if (file.body().isEmpty()) {
      return builder.method(file.method(), BodyPublishers.noBody()).build();
    }
    var body = file.body().get().eval(values);
    return builder
        .header("Content-Type", body instanceof String ? "text/plain" : "application/json")
        .method(
            file.method(),
            BodyPublishers.ofString(body instanceof String text ? text : JSON.toJson(body)))
        .build();
  }

  private CommandAnswer answer(Object result) {
    var verdict = !CommandQuestions.isOne(name) || name.equals(CommandQuestions.SAFE_TO_STOP);
    return switch (result) {
      case Boolean done when verdict -> done ? ended(0, "", "") : failed("it says no");
      case String why when verdict -> ended(CommandAnswer.REFUSED, "", why);
      case Map<?, ?> inForce when verdict -> ended(0, lines(inForce), "");
      case String none when none.isBlank() -> ended(CommandAnswer.NOT_NOW, "", "no answer now");
      case String text -> ended(0, text, "");
      case Long number -> ended(0, number.toString(), "");
      case Double number -> ended(0, number.toString(), "");
      case Boolean truth -> ended(0, truth.toString(), "");
      case null, default -> failed("its expression gives '%s'".formatted(result));
    };
  }

  private static String lines(Map<?, ?> inForce) {
    var lines = new StringBuilder();
    inForce.forEach((parameter, value) -> lines.append(parameter + "=" + value + "\n"));
    return lines.toString();
  }

  private CommandAnswer failed(String why) {
    return ended(UNKNOWN, "", why);
  }

  private CommandAnswer ended(int exitCode, String output, String words) {
    return new CommandAnswer(name, exitCode, output, words, false);
  }
}
