package io.middleware.engine.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.FixedReplication;
import io.middleware.engine.agent.order.WorkOrder;
import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.agent.server.AgentServer;
import io.middleware.engine.agent.server.ServedPod;
import io.middleware.engine.agent.server.SharedTransport;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AgentConformanceTest {
  private static final Duration PATIENT = Duration.ofMinutes(4);

  /** Answers for every pod, with a role and orders that are none. */
  private record Careless() implements AgentAnswers {
    @Override
    public WorkOrder groupOrder(Scenario scenario, List<String> groups) {
      return new WorkOrder(List.of("another"), false);
    }

    @Override
    public WorkOrder podOrder(Scenario scenario, List<String> pods) {
      throw new IllegalStateException("unexpected");
    }

    @Override
    public String role() {
      return "Leader";
    }

    @Override
    public Driver driver() {
      return new FixedReplication("db-1", "db-0");
    }
  }

  private final SharedTransport transport = new SharedTransport();
  private final List<String> broken = new ArrayList<>();
  private final List<String> leftOut = new ArrayList<>();
  private AgentServer server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    var address = new InetSocketAddress("127.0.0.1", 0);
    server = AgentServer.start(transport, address, new ServedPod("", ""), new Careless());
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.kill();
    transport.close();
  }

  @Test
  void shouldNameThePromisesThatAnAgentBreaks() throws Exception {
    check(new CheckedAgent(channel, "db-1", List.of("lag"), "", "", Map.of(), PATIENT, PATIENT));

    assertThat(broken)
        .contains(
            "GetGroupOrder answers each name once, or none, for SCENARIO_UPGRADE",
            "GetPodOrder answers each name once, or none, for SCENARIO_UPGRADE",
            "GetRole answers a role, or UNAVAILABLE",
            "GetRole does nothing for another pod, and says UNAVAILABLE",
            "Measure does nothing for another pod, and says UNAVAILABLE")
        .doesNotContain("GetGroupOrder refuses an empty name");
    assertThat(leftOut)
        .contains(
            "GetRole says UNAVAILABLE for a pod that was recreated",
            "RunAction attaches a repeated call to what is running",
            "Persist ends, and Resume ends its pause");
  }

  private void check(CheckedAgent agent) throws Exception {
    for (var promise : AgentConformance.of(agent).toList()) {
      try {
        promise.check().run();
      } catch (Promise.BrokenException e) {
        broken.add(promise.name());
      } catch (Promise.NotApplicableException e) {
        leftOut.add(promise.name());
      }
    }
  }
}
