package io.middleware.engine.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.proto.tool.v1.Progress;
import io.middleware.engine.proto.tool.v1.SwitchedOver;
import io.middleware.engine.proto.tool.v1.SwitchoverRequest;
import io.middleware.engine.proto.tool.v1.SwitchoverResponse;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc.ToolInvokerImplBase;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uses real connections, because cancellation depends on them. */
class OperationRegistryTest {
  private static final Duration INTERVAL = Duration.ofMillis(30);
  private static final String ID = "x".repeat(128);

  private final SharedTransport transport = new SharedTransport();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger interrupted = new AtomicInteger();
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private volatile Instant now = Instant.EPOCH;
  private OperationRegistry.Action<String> action = progress -> "db-1";
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    var operations =
        new OperationRegistry<SwitchoverResponse>(
            new ReentrantLock(),
            progress -> SwitchoverResponse.newBuilder().setProgress(progress).build(),
            INTERVAL,
            Duration.ZERO,
            OperationRegistry.RESULT_RETENTION,
            () -> now);
    server =
        transport
            .server(new InetSocketAddress("127.0.0.1", 0))
            .addService(
                new ToolInvokerImplBase() {
                  @Override
                  public void switchover(
                      SwitchoverRequest asked, StreamObserver<SwitchoverResponse> to) {
                    operations.serve(
                        asked.getOperationId(),
                        OperationRegistryTest.this::runAction,
                        (ServerCallStreamObserver<SwitchoverResponse>) to);
                  }
                })
            .build()
            .start();
    var address = new InetSocketAddress("127.0.0.1", server.getPort());
    channel = NettyChannelBuilder.forAddress(address).usePlaintext().build();
  }

  @AfterEach
  void stop() {
    mayEnd.countDown();
    channel.shutdownNow();
    server.shutdownNow();
    transport.close();
  }

  @Test
  void shouldReportProgressAndThenTheResult() {
    // Given
    action =
        progress -> {
          progress.report("catches up", 40);
          awaitEnd();
          return "db-1";
        };
    var messages = new ArrayList<SwitchoverResponse>();
    // When
    call(ID)
        .forEachRemaining(
            message -> {
              if (hasContent(message)) {
                messages.add(message);
              }
              if (messages.size() == 3) {
                mayEnd.countDown();
              }
            });
    // Then
    var steps = messages.subList(0, messages.size() - 1);
    assertThat(steps)
        .hasSizeGreaterThanOrEqualTo(3)
        .allSatisfy(
            step -> {
              assertThat(step.getProgress().getMessage()).isEqualTo("catches up");
              assertThat(step.getProgress().getPercent()).isEqualTo(40);
            });
    assertThat(messages.getLast().getDone().getPrimary()).isEqualTo("db-1");
  }

  @Test
  void shouldKeepProgressWithinTheLimitsOfTheProtocol() {
    // Given
    action =
        progress -> {
          progress.report("ä".repeat(5000), 250);
          awaitEnd();
          return "db-1";
        };
    // When
    var message = firstProgress(call(ID));
    // Then
    assertThat(message.getMessageBytes().size()).isBetween(500, 1024);
    assertThat(message.getPercent()).isEqualTo(100);
  }

  @Test
  void shouldAttachARepeatedCallToTheRunningOperation() {
    // Given
    action = this::untilMayEnd;
    var first = CompletableFuture.supplyAsync(() -> result(ID));
    await().until(() -> begun.get() == 1);
    // When
    var second = CompletableFuture.supplyAsync(() -> result(ID));
    mayEnd.countDown();
    // Then
    assertThat(first.join()).isEqualTo("db-1");
    assertThat(second.join()).isEqualTo("db-1");
    assertThat(begun).hasValue(1);
  }

  @Test
  void shouldKeepTheResultForTenMinutes() {
    assertThat(result(ID)).isEqualTo("db-1");
    action = progress -> "db-2";

    now = now.plus(OperationRegistry.RESULT_RETENTION);
    assertThat(result(ID)).isEqualTo("db-1");

    now = now.plusSeconds(1);
    assertThat(result(ID)).isEqualTo("db-2");
    assertThat(begun).hasValue(2);
  }

  @Test
  void shouldKeepARefusal() {
    action =
        progress -> {
          throw Status.FAILED_PRECONDITION
              .withDescription("no replica has caught up")
              .asRuntimeException();
        };

    assertFails(ID, Status.Code.FAILED_PRECONDITION, "no replica has caught up");
    assertFails(ID, Status.Code.FAILED_PRECONDITION, "no replica has caught up");

    assertThat(begun).hasValue(1);
  }

  @Test
  void shouldRestartTheActionWhenTheProcessDidNotAnswer() {
    action =
        progress -> {
          throw Status.UNAVAILABLE.withDescription("no answer").asRuntimeException();
        };
    assertFails(ID, Status.Code.UNAVAILABLE, "no answer");

    action = progress -> "db-1";

    assertThat(result(ID)).isEqualTo("db-1");
  }

  @Test
  void shouldReportAnUnexpectedFailure() {
    action =
        progress -> {
          throw new IllegalStateException("no such node");
        };

    assertFails(ID, Status.Code.INTERNAL, "no such node");
  }

  @Test
  void shouldCancelWithTheLastCallAndRestart() {
    // Given
    action = this::untilMayEnd;
    var first = startCall(ID);
    var second = startCall(ID);
    await().until(() -> begun.get() == 1);
    // When
    first.cancel(null);
    // Then
    await().during(INTERVAL.multipliedBy(3)).until(() -> interrupted.get() == 0);
    // When
    second.cancel(null);
    // Then
    await().until(() -> interrupted.get() == 1);
    mayEnd.countDown();
    assertThat(result(ID)).isEqualTo("db-1");
    assertThat(begun).hasValue(2);
  }

  @Test
  void shouldRunOneActionAtATimeAndSayThatAnotherWaits() {
    // Given
    action = this::untilMayEnd;
    var first = CompletableFuture.supplyAsync(() -> result(ID));
    await().until(() -> begun.get() == 1);
    // When
    var second = call("another");
    // Then
    await()
        .until(() -> second.next().getProgress().getMessage().startsWith("waiting until another"));
    assertThat(begun).hasValue(1);
    mayEnd.countDown();
    var messages = new ArrayList<SwitchoverResponse>();
    second.forEachRemaining(messages::add);
    assertThat(messages.getLast().getDone().getPrimary()).isEqualTo(first.join());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 129})
  void shouldRefuseAnIdWithAnInvalidLength(int length) {
    assertFails("x".repeat(length), Status.Code.INVALID_ARGUMENT, "1 to 128 characters");
    assertThat(begun).hasValue(0);
  }

  private SwitchoverResponse runAction(ProgressSink progress) throws InterruptedException {
    begun.incrementAndGet();
    var primary = action.run(progress);
    return SwitchoverResponse.newBuilder()
        .setDone(SwitchedOver.newBuilder().setPrimary(primary))
        .build();
  }

  private String untilMayEnd(ProgressSink progress) throws InterruptedException {
    progress.report("waits", 0);
    awaitEnd();
    return "db-1";
  }

  private void awaitEnd() throws InterruptedException {
    try {
      mayEnd.await();
    } catch (InterruptedException e) {
      interrupted.incrementAndGet();
      throw e;
    }
  }

  /** A call that runs until it is cancelled. */
  private Context.CancellableContext startCall(String id) {
    var context = Context.current().withCancellation();
    var answered = new CompletableFuture<SwitchoverResponse>();
    Runnable read = () -> answered.complete(call(id).next());
    Thread.startVirtualThread(context.wrap(read));
    answered.join();
    return context;
  }

  private static Progress firstProgress(Iterator<SwitchoverResponse> call) {
    var message = call.next();
    while (!hasContent(message)) {
      message = call.next();
    }
    return message.getProgress();
  }

  /** False for the messages of an interval that passed before the action said anything. */
  private static boolean hasContent(SwitchoverResponse message) {
    return !message.hasProgress() || !message.getProgress().equals(Progress.getDefaultInstance());
  }

  private String result(String id) {
    var messages = new ArrayList<SwitchoverResponse>();
    call(id).forEachRemaining(messages::add);
    return messages.getLast().getDone().getPrimary();
  }

  private Iterator<SwitchoverResponse> call(String id) {
    return ToolInvokerGrpc.newBlockingStub(channel)
        .switchover(SwitchoverRequest.newBuilder().setOperationId(id).build());
  }

  private void assertFails(String id, Status.Code code, String why) {
    assertThatThrownBy(() -> result(id))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(code);
              assertThat(e.getStatus().getDescription()).contains(why);
            });
  }
}
