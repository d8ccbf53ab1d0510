package io.middleware.engine.cluster;

import static io.middleware.engine.cluster.SampleObjects.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClusterWaiterTest {
  private final FakeView view = new FakeView();
  private final List<String> beats = new CopyOnWriteArrayList<>();
  private final ClusterWaiter waiter = new ClusterWaiter(view, beats::add);

  @Test
  void shouldReturnAtOnceWhenNothingIsMissing() {
    waiter.until(KEY, Optional::empty);
    assertThat(beats).isEmpty();
  }

  @Test
  void shouldNotMissAnEventBetweenTheCheckAndTheSleep() {
    waiter.until(
        KEY,
        () -> {
          var missing = podMissing();
          if (missing.isPresent()) {
            view.pods.add(SampleObjects.ready("db-0", "new"));
            view.wakeUp(KEY);
          }
          return missing;
        });
    assertThat(beats).hasSize(1);
  }

  @Test
  void shouldEndAtTheTimeLimit() {
    assertThat(waiter.until(KEY, Duration.ofMillis(20), this::podMissing)).contains("pod missing");
  }

  @Test
  void shouldWakeOnlyForAnEventWhileItRests() throws Exception {
    // Given
    var looks = new AtomicInteger();
    var running =
        CompletableFuture.runAsync(
            () ->
                waiter
                    .resting()
                    .until(
                        KEY,
                        () -> {
                          looks.incrementAndGet();
                          return podMissing();
                        }),
            Thread::startVirtualThread);
    await().until(() -> !beats.isEmpty());
    assertThatThrownBy(() -> running.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
    assertThat(looks).hasValue(1);
    assertThat(beats).hasSize(1);
    // When
    view.pods.add(SampleObjects.ready("db-0", "new"));
    view.wakeUp(KEY);
    // Then
    running.get(4, TimeUnit.MINUTES);
    assertThat(looks).hasValue(2);
  }

  @Test
  void shouldHeartbeatAndEndWithWhatItThrows() {
    var cancelled = new IllegalStateException("cancelled");
    var cancelling =
        new ClusterWaiter(
            view,
            message -> {
              beats.add(message);
              if (beats.size() == 2) {
                throw cancelled;
              }
            });
    assertThatThrownBy(() -> cancelling.until(KEY, this::podMissing)).isSameAs(cancelled);
  }

  @Test
  void shouldAskAtOnceWhenTheStatusShowsThatARequestWasAccepted() throws Exception {
    // Given
    var asked = new CountDownLatch(1);
    var waiting =
        new ClusterWaiter(
            view,
            new Heartbeat() {
              @Override
              public void send(String message) {
                beats.add(message);
              }

              @Override
              public void ask() {
                asked.countDown();
                throw new IllegalStateException("cancelled");
              }
            });
    view.app = app();
    var running =
        CompletableFuture.runAsync(
            () -> waiting.until(KEY, this::podMissing), Thread::startVirtualThread);
    await().until(() -> !beats.isEmpty());
    view.wakeUp(KEY);
    view.app = app();
    view.wakeUp(KEY);
    assertThat(asked.await(50, TimeUnit.MILLISECONDS)).isFalse();
    // When
    view.app = app("cancel accepted");
    view.wakeUp(KEY);
    // Then
    assertThatThrownBy(() -> running.get(4, TimeUnit.MINUTES)).hasMessageContaining("cancelled");
  }

  private static App app(String... requests) {
    var app = new App();
    var change =
        ChangeStatusBuilder.builder()
            .generation(7L)
            .runId("run-1")
            .requests(List.of(requests))
            .build();
    app.setStatus(AppStatusBuilder.builder().change(change).build());
    return app;
  }

  private Optional<String> podMissing() {
    return view.pods.isEmpty() ? Optional.of("pod missing") : Optional.empty();
  }
}
