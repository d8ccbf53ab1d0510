package io.middleware.engine.process;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * Closes the connection of an answer that does not end in time. The client limits only the time
 * until an answer begins: one that goes on keeps its connection after the caller has given up, and
 * connections are {@linkplain LimitedCalls few}.
 */
record LimitedAnswers(Duration longest) implements Interceptor {
  static final String NAME = "limited-answers";

  @Override
  public void after(
      HttpRequest request,
      HttpResponse<?> response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    if (response.body() instanceof AsyncBody body) {
      body.done()
          .orTimeout(longest.toMillis(), MILLISECONDS)
          .whenComplete(
              (done, failure) -> {
                if (failure != null) {
                  body.cancel();
                }
              });
    }
  }
}
