package io.middleware.engine.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.proto.tool.v1.SwitchedOver;
import io.middleware.engine.proto.tool.v1.SwitchoverRequest;
import io.middleware.engine.proto.tool.v1.SwitchoverResponse;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc.ToolInvokerImplBase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that dies, behind a relay whose connections break. */
class LostConnectionTest {
  private static final Duration INTERVAL = Duration.ofMillis(30);

  /** Longer than any test waits. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final Duration SHORT = Duration.ofMillis(500);

  private final SharedTransport transport = new SharedTransport();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger interrupted = new AtomicInteger();
  private volatile long interruptedAt;
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private Server server;
  private ServerSocket relay;
  private ManagedChannel channel;

  private void start(Duration patience) throws IOException {
    var operations =
        new OperationRegistry<SwitchoverResponse>(
            new ReentrantLock(),
            progress -> SwitchoverResponse.newBuilder().setProgress(progress).build(),
            INTERVAL,
            patience,
            OperationRegistry.RESULT_RETENTION,
            InstantSource.system());
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
                        progress -> run(),
                        (ServerCallStreamObserver<SwitchoverResponse>) to);
                  }
                })
            .build()
            .start();
    relay = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    Thread.startVirtualThread(this::relay);
    channel =
        NettyChannelBuilder.forAddress(new InetSocketAddress("127.0.0.1", relay.getLocalPort()))
            .usePlaintext()
            .build();
  }

  @AfterEach
  void stop() throws IOException {
    mayEnd.countDown();
    channel.shutdownNow();
    server.shutdownNow();
    relay.close();
    transport.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldAttachARepeatAfterALostConnection(boolean isReset) throws IOException {
    // Given
    start(LONG);
    startCall();
    // When
    for (var socket : sockets) {
      socket.setSoLinger(isReset, 0);
    }
    breakConnections();
    var messages = new ArrayList<SwitchoverResponse>();
    var repeat = await().ignoreExceptions().until(this::stub, Iterator::hasNext);
    mayEnd.countDown();
    repeat.forEachRemaining(messages::add);
    // Then
    assertThat(messages.getLast().getDone().getPrimary()).isEqualTo("db-1");
    assertThat(begun).hasValue(1);
    assertThat(interrupted).hasValue(0);
  }

  @Test
  void shouldCancelWhenNoRepeatComes() throws IOException {
    // Given
    start(SHORT);
    startCall();
    // When
    var broken = System.nanoTime();
    breakConnections();
    await().until(() -> interrupted.get() == 1);
    // Then
    assertThat(Duration.ofNanos(interruptedAt - broken)).isGreaterThanOrEqualTo(SHORT);
  }

  @Test
  void shouldCancelAtOnceWhenTheClientSaysSo() throws IOException {
    // Given
    start(LONG);
    var call = startCall();
    // When
    call.cancel(null);
    // Then
    await().until(() -> interrupted.get() == 1);
  }

  private SwitchoverResponse run() throws InterruptedException {
    begun.incrementAndGet();
    try {
      mayEnd.await();
    } catch (InterruptedException e) {
      interruptedAt = System.nanoTime();
      interrupted.incrementAndGet();
      throw e;
    }
    return SwitchoverResponse.newBuilder()
        .setDone(SwitchedOver.newBuilder().setPrimary("db-1"))
        .build();
  }

  private Context.CancellableContext startCall() {
    var context = Context.current().withCancellation();
    Runnable call =
        () -> {
          var unused = catchThrowable(() -> stub().forEachRemaining(message -> {}));
        };
    Thread.startVirtualThread(context.wrap(call));
    await().until(() -> begun.get() == 1);
    return context;
  }

  private Iterator<SwitchoverResponse> stub() {
    return ToolInvokerGrpc.newBlockingStub(channel)
        .withWaitForReady()
        .switchover(SwitchoverRequest.newBuilder().setOperationId("id").build());
  }

  private void breakConnections() throws IOException {
    for (var socket : sockets) {
      socket.close();
    }
  }

  private void relay() {
    try {
      while (true) {
        var client = relay.accept();
        var target = new Socket("127.0.0.1", server.getPort());
        sockets.addAll(List.of(client, target));
        Thread.startVirtualThread(() -> copy(client, target));
        Thread.startVirtualThread(() -> copy(target, client));
      }
    } catch (IOException e) {
      // the test has ended
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // the connection is broken
    }
  }
}
