package io.middleware.engine.activities.conditions;

import java.time.Duration;

/** What conditions ask over HTTP. */
public final class HttpSources implements AutoCloseable {
  private static final Duration BRIEF = Duration.ofSeconds(2);

  private final BoundedHttp http;
  private final PrometheusQueries queries;
  private final EndpointPolicy policy;

  private HttpSources(BoundedHttp http, PrometheusQueries queries, EndpointPolicy policy) {
    this.http = http;
    this.queries = queries;
    this.policy = policy;
  }

  /** Each answer may take 5 s; a query may wait for a second before it is sent with others. */
  public static HttpSources of(EndpointPolicy policy) {
    var http = BoundedHttp.create();
    return new HttpSources(http, new GatheredQueries(http), policy);
  }

  /** The same, for a caller that cannot wait: each answer may take 2 s, and is asked for alone. */
  public HttpSources brief() {
    var brief = http.within(BRIEF);
    return new HttpSources(brief, new PrometheusApi(brief), policy);
  }

  /** The same, each query asked for alone: for a caller that must not be late. */
  public HttpSources alone() {
    return new HttpSources(http, new PrometheusApi(http), policy);
  }

  /** To which URLs they may send. */
  public EndpointPolicy policy() {
    return policy;
  }

  public WebhookSource webhooks() {
    return new WebhookSource(http, policy);
  }

  public PrometheusSource prometheus() {
    return new PrometheusSource(queries, policy);
  }

  @Override
  public void close() {
    http.close();
  }
}
