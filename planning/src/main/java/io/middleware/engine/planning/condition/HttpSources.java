package io.middleware.engine.planning.condition;

import java.time.Duration;

/** What conditions ask over HTTP. */
public final class HttpSources implements AutoCloseable {
  private static final Duration BRIEF = Duration.ofSeconds(2);

  /**
   * Half of what a Prometheus answers at the same time by default; the others of its users get the
   * rest.
   */
  private static final int MOST_QUERIES = 10;

  private final BoundedHttp http;
  private final BoundedHttp queried;
  private final PrometheusQueries queries;
  private final EndpointPolicy policy;

  private HttpSources(
      BoundedHttp http, BoundedHttp queried, PrometheusQueries queries, EndpointPolicy policy) {
    this.http = http;
    this.queried = queried;
    this.queries = queries;
    this.policy = policy;
  }

  /** Each answer may take 5 s; equal queries share one. */
  public static HttpSources of(EndpointPolicy policy) {
    var http = BoundedHttp.create();
    var queried = http.atMost(MOST_QUERIES);
    var queries = new SharedQueries(new PrometheusApi(queried), System::nanoTime);
    return new HttpSources(http, queried, queries, policy);
  }

  /** The same, for a caller that cannot wait: each answer may take 2 s, and is its own. */
  public HttpSources brief() {
    var brief = queried.within(BRIEF);
    return new HttpSources(http.within(BRIEF), brief, new PrometheusApi(brief), policy);
  }

  /** URLs that they may call. */
  public EndpointPolicy policy() {
    return policy;
  }

  WebhookSource webhooks() {
    return new WebhookSource(http, policy);
  }

  PrometheusSource prometheus() {
    return new PrometheusSource(queries, policy);
  }

  @Override
  public void close() {
    http.close();
  }
}
