package io.middleware.engine.process;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;

/**
 * Keeps an interrupted thread from calling the API server. The client itself notices an interrupt
 * only when it waits for the answer: the request has been sent by then.
 */
final class UninterruptedCalls implements Interceptor {
  static final String NAME = "uninterrupted-calls";

  @Override
  public void before(BasicBuilder headers, HttpRequest request, RequestTags tags) {
    if (Thread.currentThread().isInterrupted()) {
      throw new KubernetesClientException(
          "not called: the step was interrupted", new InterruptedException(request.method()));
    }
  }
}
