package io.middleware.engine.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CallEndTest {
  static Stream<Status> lost() {
    return Stream.of(
        Status.UNAVAILABLE.withDescription("connection terminated for unknown reason"),
        Status.UNKNOWN.withDescription("channel closed").withCause(new ClosedChannelException()),
        Status.INTERNAL.withDescription("http2 exception"));
  }

  static Stream<Status> ended() {
    return Stream.of(
        Status.OK,
        Status.CANCELLED.withDescription("RST_STREAM received for code 8"),
        Status.DEADLINE_EXCEEDED);
  }

  @ParameterizedTest
  @MethodSource("lost")
  void shouldRecognizeALostConnection(Status status) throws Exception {
    assertThat(isConnectionLost(status)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("ended")
  void shouldTakeAnyOtherEndForTheClientsWish(Status status) throws Exception {
    assertThat(isConnectionLost(status)).isFalse();
  }

  private static boolean isConnectionLost(Status status) throws Exception {
    var end = CallEnd.FACTORY.newServerStreamTracer("Switchover", new Metadata());
    var context = end.filterContext(Context.ROOT);
    end.streamClosed(status);
    return context.call(CallEnd::isConnectionLost);
  }
}
