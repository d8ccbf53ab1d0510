package io.middleware.engine.planning.condition;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.middleware.engine.api.task.PlainText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Posts questions over HTTP whose answers are JSON, at most 64 KiB, within a short time. It follows
 * no redirect, as that would lead past the allowed hosts. Thread-safe.
 */
final class BoundedHttp implements AutoCloseable {
  static final Duration LONGEST = Duration.ofSeconds(5);
  private static final int LARGEST = 64 << 10;
  private static final int LONGEST_EXCERPT = 200;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The server may answer later: it has had no time for the question, or too many of them. */
  private static final Set<Integer> LATER = Set.of(408, 425, 429);

  private final HttpClient client;
  private final ExecutorService threads;
  private final Duration longest;

  /** By server, how many more requests may be sent to it now. */
  private final Function<String, Semaphore> slots;

  private BoundedHttp(
      HttpClient client,
      ExecutorService threads,
      Duration longest,
      Function<String, Semaphore> slots) {
    this.client = client;
    this.threads = threads;
    this.longest = longest;
    this.slots = slots;
  }

  static BoundedHttp create() {
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    var client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(Redirect.NEVER)
            .executor(threads)
            .build();
    return new BoundedHttp(client, threads, LONGEST, server -> new Semaphore(1));
  }

  /** The same connections, with another time limit. */
  BoundedHttp within(Duration time) {
    return new BoundedHttp(client, threads, time, slots);
  }

  /**
   * The same connections, with so many requests at the same time to each server, at most. The time
   * that others wait for their turn is part of their limit.
   */
  BoundedHttp atMost(int requests) {
    var byServer = new ConcurrentHashMap<String, Semaphore>();
    return new BoundedHttp(
        client,
        threads,
        longest,
        server -> byServer.computeIfAbsent(server, it -> new Semaphore(requests, true)));
  }

  /** What became of a question. */
  sealed interface Reply {
    record Answered(JsonNode body) implements Reply {}

    /** Asked again, the server would say the same. */
    record Refused(String why) implements Reply {}

    /** Asked again, the server may answer. */
    record Unanswered(String why) implements Reply {}
  }

  Reply post(URI url, String contentType, String body) throws InterruptedException {
    var request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", contentType)
            .header("Accept", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    // not sendAsync: it completes in the common pool, which may be busy
    var exchange = threads.submit(() -> send(request));
    try {
      return reply(url, exchange.get(longest.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return slow(url);
    } catch (ExecutionException e) {
      return failed(url, e);
    } finally {
      exchange.cancel(true);
    }
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    var slot = slots.apply(request.uri().getRawAuthority());
    slot.acquire();
    try {
      return client.send(request, head -> new LimitedBody(LARGEST));
    } finally {
      slot.release();
    }
  }

  private Reply failed(URI url, ExecutionException e) {
    var tooLong = find(e, LimitedBody.TooLongException.class);
    if (tooLong.isPresent()) {
      return new Reply.Refused("%s: %s".formatted(shown(url), tooLong.get().getMessage()));
    }
    return find(e, HttpTimeoutException.class).isPresent()
        ? slow(url)
        : new Reply.Unanswered("%s cannot be reached: %s".formatted(shown(url), cause(e)));
  }

  private Reply slow(URI url) {
    return new Reply.Unanswered(
        "%s has not answered within %d s".formatted(shown(url), longest.toSeconds()));
  }

  private static Reply reply(URI url, HttpResponse<String> response) {
    var status = response.statusCode();
    if (status < 300) {
      return json(response.body())
          .<Reply>map(Reply.Answered::new)
          .orElseGet(
              () ->
                  new Reply.Refused(
                      "%s: the answer is not valid JSON: %s"
                          .formatted(shown(url), excerpt(response.body()))));
    }
    if (status < 400) {
      return new Reply.Refused(
          "%s redirects (%d), which is not followed".formatted(shown(url), status));
    }
    var why = "%s answers %d: %s".formatted(shown(url), status, error(response.body()));
    return status >= 500 || LATER.contains(status)
        ? new Reply.Unanswered(why)
        : new Reply.Refused(why);
  }

  private static Optional<JsonNode> json(String body) {
    try {
      return Optional.of(JSON.readTree(body)).filter(node -> !node.isMissingNode());
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** What a server says is wrong; Prometheus says it in JSON. */
  private static String error(String body) {
    return json(body)
        .map(node -> node.path("error"))
        .filter(JsonNode::isTextual)
        .map(node -> excerpt(node.textValue()))
        .orElseGet(() -> excerpt(body));
  }

  private static String excerpt(String text) {
    return PlainText.clean(text, LONGEST_EXCERPT);
  }

  /** Without its query, which may hold a token. */
  static String shown(URI url) {
    return "%s://%s%s".formatted(url.getScheme(), url.getRawAuthority(), url.getRawPath());
  }

  /** The causes, of which many have no message. */
  private static String cause(ExecutionException failure) {
    return causes(failure.getCause()).map(BoundedHttp::name).distinct().collect(joining(": "));
  }

  private static String name(Throwable cause) {
    var name = cause.getClass().getSimpleName();
    return cause.getMessage() == null ? name : "%s %s".formatted(name, cause.getMessage());
  }

  private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
    return causes(failure).filter(type::isInstance).map(type::cast).findFirst();
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
  }

  @Override
  public void close() {
    client.shutdownNow();
    threads.shutdownNow();
  }
}
