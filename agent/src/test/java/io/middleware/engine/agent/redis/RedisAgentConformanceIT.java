package io.middleware.engine.agent.redis;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.middleware.engine.agent.command.CommandDriver;
import io.middleware.engine.agent.conformance.CheckedAgent;
import io.middleware.engine.agent.conformance.ConformanceCases;
import io.middleware.engine.agent.server.AgentServer;
import io.middleware.engine.agent.server.ReplicationAnswers;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Holds the agent of a real replica against its protocol. */
class RedisAgentConformanceIT {
  private static final Duration PATIENT = Duration.ofMinutes(4);
  private static final SharedTransport TRANSPORT = new SharedTransport();
  private static RealGroup group;
  private static AgentServer server;
  private static ManagedChannel channel;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException, URISyntaxException {
    group = new RealGroup(folder);
    var actions = Path.of(RedisAgentConformanceIT.class.getResource("/agent-check/wait").toURI());
    server =
        AgentServer.start(
            TRANSPORT,
            new InetSocketAddress("127.0.0.1", 0),
            new ServedPod("db-1", "uid-of-db-1"),
            new ReplicationAnswers(
                CommandDriver.over(group.drivers.get(1), Optional.of(actions.getParent()))));
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    server.kill();
    TRANSPORT.close();
    group.close();
  }

  @TestFactory
  Stream<DynamicTest> shouldKeepWhatTheProtocolPromises() {
    return ConformanceCases.of(
        new CheckedAgent(
            channel,
            "db-1",
            List.of("lag", "restored"),
            "print",
            "wait",
            Map.of("maxmemory-policy", "allkeys-lru"),
            PATIENT,
            PATIENT));
  }
}
