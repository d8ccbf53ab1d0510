package io.middleware.engine.activities.conditions;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.Lists;
import io.middleware.engine.activities.conditions.BoundedHttp.Reply;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/**
 * Sends the queries of many Apps to a Prometheus as one, about one request a second. Thread-safe.
 *
 * <ol>
 *   <li>The first query after a second of rest is sent at once. Those that come within a second
 *       after it wait for the end of that second, and are sent together. If one request cannot hold
 *       them, the last ones, as many as the next request holds, wait for another second.
 *   <li>Several are the parts of a union, each with a label that tells them apart. Equal queries
 *       are one part.
 *   <li>When the union is refused, or not answered in time by a Prometheus that answers otherwise,
 *       each part is asked alone, once. For the next hour it is known which of them give a scalar,
 *       and which cannot be part of a union. If all of them can, the union was too long, and later
 *       ones are shorter, until enough of them have been answered.
 * </ol>
 */
final class GatheredQueries implements PrometheusQueries {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** Those of a second of a thousand Apps, each with a check every 10 s, are half as many. */
  private static final int MOST_PARTS = 200;

  /** A union is answered with the labels of all its parts. */
  static final int LARGEST_ANSWER = 512 << 10;

  private static final int ANSWERED_BEFORE_LONGER = 60;
  private static final long MOST_KNOWN = 10_000;
  private static final Duration KNOWN = Duration.ofHours(1);
  private static final String PART = "middleware_check";

  /** A query that costs nothing. */
  private static final String PROBE = "vector(1)";

  /** For the interval, a union, the probe, and the parts alone, with time to spare. */
  private static final Duration LONGEST = BoundedHttp.LONGEST.multipliedBy(4);

  private final PrometheusApi api;
  private final PrometheusApi unions;
  private final Cache<URI, Gathering> gatherings =
      CacheBuilder.newBuilder().maximumSize(MOST_KNOWN).build();

  /** By query, what is known of it. */
  private final Cache<String, Part> known =
      CacheBuilder.newBuilder().maximumSize(MOST_KNOWN).expireAfterWrite(KNOWN).build();

  private final Rest rest;

  GatheredQueries(BoundedHttp http) {
    this(http, (time, callers) -> Thread.sleep(time));
  }

  GatheredQueries(BoundedHttp http, Rest rest) {
    this.rest = rest;
    this.api = new PrometheusApi(http);
    this.unions = new PrometheusApi(http.upTo(LARGEST_ANSWER));
  }

  /** How the time is passed until the next request. */
  @FunctionalInterface
  interface Rest {
    /**
     * @param time not positive when none is left
     * @param callers that wait for the request so far
     */
    void pass(Duration time, IntSupplier callers) throws InterruptedException;
  }

  /** How a query can be part of a union. */
  private enum Part {
    VECTOR,
    SCALAR,
    /** Not at all. */
    ALONE
  }

  /** The queries to one Prometheus that wait, and when the last ones were sent. */
  private static final class Gathering {
    private final Map<String, CompletableFuture<Samples>> waiting = new LinkedHashMap<>();
    private int callers;
    private long sent = System.nanoTime() - INTERVAL.toNanos();
    private int most = MOST_PARTS;
    private int answered;

    private synchronized int callers() {
      return callers;
    }

    private synchronized Duration rest() {
      return Duration.ofNanos(sent + INTERVAL.toNanos() - System.nanoTime());
    }

    /** What is sent now, of those that wait; the caller has synchronized. */
    private Map<String, CompletableFuture<Samples>> take() {
      sent = System.nanoTime();
      var taken = new LinkedHashMap<String, CompletableFuture<Samples>>();
      var count = Math.max(most, waiting.size() - most);
      waiting.entrySet().stream().limit(count).forEach(it -> taken.put(it.getKey(), it.getValue()));
      waiting.keySet().removeAll(taken.keySet());
      callers = waiting.size();
      return taken;
    }

    private synchronized int most() {
      return most;
    }

    private synchronized void answered() {
      answered++;
      if (answered % ANSWERED_BEFORE_LONGER == 0) {
        most = Math.min(MOST_PARTS, 2 * most);
      }
    }

    private synchronized void wasTooLong(int parts) {
      answered = 0;
      most = Math.max(1, parts / 2);
    }
  }

  @Override
  public Samples query(URI url, String query) throws InterruptedException {
    if (partOf(query) == Part.ALONE) {
      return api.query(url, query);
    }
    var gathering = gatherings.asMap().computeIfAbsent(url, it -> new Gathering());
    CompletableFuture<Samples> result;
    boolean first;
    synchronized (gathering) {
      first = gathering.waiting.isEmpty();
      gathering.callers++;
      result = gathering.waiting.computeIfAbsent(query, it -> new CompletableFuture<>());
    }
    if (first) {
      Thread.startVirtualThread(() -> send(url, gathering));
    }
    return await(result);
  }

  private static Samples await(CompletableFuture<Samples> result) throws InterruptedException {
    try {
      return result.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return new Samples.Unanswered(
          "Prometheus has not answered the queries of all checks within %d s"
              .formatted(LONGEST.toSeconds()));
    } catch (ExecutionException e) {
      throw new IllegalStateException("a gathered query failed", e.getCause());
    }
  }

  private Part partOf(String query) {
    var part = known.getIfPresent(query);
    if (part != null) {
      return part;
    }
    return QueryNesting.isClosed(query) ? Part.VECTOR : Part.ALONE;
  }

  private void send(URI url, Gathering gathering) {
    Map<String, CompletableFuture<Samples>> batch = Map.of();
    try {
      rest.pass(gathering.rest(), gathering::callers);
      synchronized (gathering) {
        batch = gathering.take();
        if (!gathering.waiting.isEmpty()) {
          Thread.startVirtualThread(() -> send(url, gathering));
        }
      }
      answer(url, gathering, batch);
    } catch (InterruptedException | RuntimeException e) {
      batch.values().forEach(result -> result.completeExceptionally(e));
    }
  }

  private void answer(URI url, Gathering gathering, Map<String, CompletableFuture<Samples>> batch)
      throws InterruptedException {
    for (var queries : Lists.partition(List.copyOf(batch.keySet()), gathering.most())) {
      if (queries.size() == 1) {
        batch.get(queries.getFirst()).complete(alone(url, queries.getFirst()));
      } else {
        together(url, gathering, queries)
            .forEach((query, samples) -> batch.get(query).complete(samples));
      }
    }
  }

  private Map<String, Samples> together(URI url, Gathering gathering, List<String> queries)
      throws InterruptedException {
    return switch (unions.data(url, union(queries))) {
      case Reply.Answered(var data) -> {
        gathering.answered();
        yield parts(queries, data);
      }
      case Reply.Unanswered(var why) -> {
        if (api.data(url, PROBE) instanceof Reply.Unanswered) {
          yield queries.stream().collect(toMap(it -> it, it -> new Samples.Unanswered(why)));
        }
        yield apart(url, gathering, queries);
      }
      case Reply.Refused refused -> apart(url, gathering, queries);
    };
  }

  /** Finds out which of them cannot be part of a union. */
  private Map<String, Samples> apart(URI url, Gathering gathering, List<String> queries)
      throws InterruptedException {
    var before = queries.stream().map(this::partOf).toList();
    var results = new LinkedHashMap<String, Samples>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls =
          queries.stream().<Callable<Samples>>map(query -> () -> alone(url, query)).toList();
      var answers = threads.invokeAll(calls);
      for (var i = 0; i < queries.size(); i++) {
        results.put(queries.get(i), answers.get(i).resultNow());
      }
    }
    results.forEach(
        (query, samples) -> {
          if (samples instanceof Samples.Unanswered) {
            known.put(query, Part.ALONE);
          }
        });
    if (queries.stream().map(this::partOf).toList().equals(before)) {
      gathering.wasTooLong(queries.size());
    }
    return results;
  }

  private Samples alone(URI url, String query) throws InterruptedException {
    return switch (api.data(url, query)) {
      case Reply.Answered(var data) -> {
        var samples = PrometheusApi.samples(data);
        var type = data.path("resultType").asText();
        known.put(
            query,
            samples instanceof Samples.Refused
                ? Part.ALONE
                : type.equals("scalar") ? Part.SCALAR : Part.VECTOR);
        yield samples;
      }
      case Reply.Refused(var why) -> {
        known.put(query, Part.ALONE);
        yield new Samples.Refused(why);
      }
      case Reply.Unanswered(var why) -> new Samples.Unanswered(why);
    };
  }

  private String union(List<String> queries) {
    return IntStream.range(0, queries.size())
        .mapToObj(i -> part(queries.get(i), i))
        .collect(joining(" or "));
  }

  /** A query may end with a comment. */
  private String part(String query, int number) {
    var vector = partOf(query) == Part.SCALAR ? "vector(%s\n)" : "(%s\n)";
    return "label_replace(%s, \"%s\", \"%d\", \"\", \"\")"
        .formatted(vector.formatted(query), PART, number);
  }

  private static Map<String, Samples> parts(List<String> queries, JsonNode data) {
    var byPart =
        StreamSupport.stream(data.path("result").spliterator(), false)
            .collect(groupingBy(series -> series.path("metric").path(PART).asText()));
    var results = new LinkedHashMap<String, Samples>();
    for (var i = 0; i < queries.size(); i++) {
      var series = byPart.getOrDefault(String.valueOf(i), List.of());
      results.put(queries.get(i), PrometheusApi.vector(new ArrayList<>(series)));
    }
    return results;
  }
}
