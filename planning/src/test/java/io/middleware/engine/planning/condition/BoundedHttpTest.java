package io.middleware.engine.planning.condition;

import static java.util.stream.IntStream.range;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.planning.condition.AnsweringServer.Answer;
import io.middleware.engine.planning.condition.BoundedHttp.Reply;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoundedHttpTest {
  private final AnsweringServer server = new AnsweringServer();
  private final BoundedHttp http = BoundedHttp.create();

  BoundedHttpTest() throws IOException {}

  @AfterEach
  void close() {
    http.close();
    server.close();
  }

  @Test
  void shouldSendAFewRequestsAtATime() throws Exception {
    // Given
    var inWork = new AtomicInteger();
    var most = new AtomicInteger();
    server.answers(
        question -> {
          most.accumulateAndGet(inWork.incrementAndGet(), Math::max);
          LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
          inWork.decrementAndGet();
          return new Answer(200, "{}");
        });
    // When
    var replies = replies(http.atMost(3), 30);
    // Then
    assertThat(replies).hasOnlyElementsOfType(Reply.Answered.class);
    assertThat(server.questions).hasSize(30);
    assertThat(most.get()).isLessThanOrEqualTo(3);
  }

  @Test
  void shouldNotWaitForItsTurnLongerThanForAnAnswer() throws Exception {
    // Given
    var end = new CountDownLatch(1);
    server.answers(question -> await(end));
    var limited = http.atMost(1).within(Duration.ofMinutes(4));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var held = threads.submit(() -> limited.post(url(server), "text/plain", "a"));
      Awaitility.await().until(() -> server.questions.size() == 1);
      // When
      var reply = limited.within(Duration.ofSeconds(1)).post(url(server), "text/plain", "b");
      // Then
      assertThat(reply)
          .isEqualTo(new Reply.Unanswered(server.url() + "/a has not answered within 1 s"));
      end.countDown();
      assertThat(held.get()).isInstanceOf(Reply.Answered.class);
      assertThat(server.questions).hasSize(1);
    }
  }

  @Test
  void shouldNotLetOneServerHoldUpAnother() throws Exception {
    // Given
    var end = new CountDownLatch(1);
    server.answers(question -> await(end));
    var limited = http.atMost(1);
    // When
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        var other = new AnsweringServer()) {
      var held = threads.submit(() -> limited.post(url(server), "text/plain", "a"));
      var reply = limited.post(url(other), "text/plain", "a");
      // Then
      assertThat(reply).isInstanceOf(Reply.Answered.class);
      end.countDown();
      assertThat(held.get()).isInstanceOf(Reply.Answered.class);
    }
  }

  private static Answer await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new Answer(200, "{}");
  }

  private List<Reply> replies(BoundedHttp asked, int requests) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls =
          range(0, requests)
              .<Callable<Reply>>mapToObj(i -> () -> asked.post(url(server), "text/plain", "a"))
              .toList();
      var replies = new ArrayList<Reply>();
      for (var call : threads.invokeAll(calls)) {
        replies.add(call.get());
      }
      return replies;
    }
  }

  private static URI url(AnsweringServer of) {
    return URI.create(of.url() + "/a");
  }
}
