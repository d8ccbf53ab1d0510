package io.middleware.engine.agent.conformance;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.command.CommandMode;
import io.middleware.engine.agent.command.OtherRoles;
import io.middleware.engine.agent.order.RoleOrder;
import io.middleware.engine.agent.server.AgentServer;
import io.middleware.engine.agent.server.ServedPod;
import io.middleware.engine.agent.server.SharedTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Holds the agent against its protocol, with the scripts in {@code agent-check}. */
class CommandAgentConformanceTest {
  private static final Duration PATIENT = Duration.ofMinutes(4);
  private static final String POD = "db-1";
  private static final SharedTransport TRANSPORT = new SharedTransport();
  private static final ScheduledExecutorService SCHEDULER =
      Executors.newSingleThreadScheduledExecutor();
  private static AgentServer server;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() throws IOException, URISyntaxException {
    var folder =
        Path.of(CommandAgentConformanceTest.class.getResource("/agent-check/role").toURI());
    var settings =
        new CommandMode.Settings(
            POD,
            folder.getParent(),
            PATIENT,
            PATIENT,
            RoleOrder.PRIMARY_LAST,
            Optional.empty(),
            AccountFiles.NONE);
    OtherRoles others = pods -> Map.of("db-0", "primary");
    server =
        AgentServer.start(
            TRANSPORT,
            new InetSocketAddress("127.0.0.1", 0),
            new ServedPod(POD, "uid-1"),
            CommandMode.of(settings, others, SCHEDULER).answers());
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    server.kill();
    TRANSPORT.close();
    SCHEDULER.shutdownNow();
  }

  @TestFactory
  Stream<DynamicTest> shouldKeepWhatTheProtocolPromises() {
    return ConformanceCases.of(
        new CheckedAgent(
            channel,
            POD,
            List.of("lag", "safe-to-stop"),
            "print",
            "wait",
            Map.of("max", "7"),
            PATIENT,
            PATIENT));
  }
}
