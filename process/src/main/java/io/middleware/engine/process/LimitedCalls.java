package io.middleware.engine.process;

import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.vertx.ext.web.client.WebClientOptions;

/**
 * Makes few calls at the same time, as others wait for their connection. An API server that is busy
 * with many calls sends its watches late, and everybody works on what was true seconds ago: that
 * costs more time than the calls have to wait.
 */
final class LimitedCalls extends VertxHttpClientFactory {
  private final int most;

  LimitedCalls(int most) {
    this.most = most;
  }

  @Override
  protected void additionalConfig(WebClientOptions options) {
    options.setMaxPoolSize(most);
  }
}
