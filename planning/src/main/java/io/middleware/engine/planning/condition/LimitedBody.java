package io.middleware.engine.planning.condition;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Takes the text of a response. A text that is too long is not read to its end. */
final class LimitedBody implements BodySubscriber<String> {
  private final BodySubscriber<String> text = BodySubscribers.ofString(UTF_8);
  private final long limit;
  private Flow.Subscription subscription;
  private long size;

  /**
   * @param limit in bytes
   */
  LimitedBody(long limit) {
    this.limit = limit;
  }

  /** The response is too long. */
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    private TooLongException(long limit) {
      super("the answer is longer than %d KiB".formatted(limit >> 10));
    }
  }

  @Override
  public CompletionStage<String> getBody() {
    return text.getBody();
  }

  @Override
  public void onSubscribe(Flow.Subscription begun) {
    subscription = begun;
    text.onSubscribe(begun);
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    size += parts.stream().mapToLong(ByteBuffer::remaining).sum();
    if (size > limit) {
      subscription.cancel();
      text.onError(new TooLongException(limit));
    } else {
      text.onNext(parts);
    }
  }

  @Override
  public void onError(Throwable failure) {
    text.onError(failure);
  }

  @Override
  public void onComplete() {
    text.onComplete();
  }
}
