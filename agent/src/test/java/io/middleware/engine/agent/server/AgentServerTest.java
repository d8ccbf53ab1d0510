package io.middleware.engine.agent.server;

import static io.middleware.engine.proto.agent.v1.Scenario.SCENARIO_PROVISION;
import static io.middleware.engine.proto.agent.v1.Scenario.SCENARIO_UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.throwable;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.middleware.engine.agent.driver.FixedReplication;
import io.middleware.engine.agent.order.WorkOrder;
import io.middleware.engine.proto.agent.v1.GetPodOrderRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AgentServerTest {
  private static final String HERE = "127.0.0.1";
  private static final int UNKNOWN_SCENARIO = 99;
  private static final ServedPod POD = new ServedPod("db-1", "u1");

  private final SharedTransport transport = new SharedTransport();
  private AgentServer server;
  private AgentTestClient client;

  @BeforeEach
  void start() throws IOException {
    var answers = new ReplicationAnswers(new FixedReplication("db-1", "db-0"));
    server = AgentServer.start(transport, new InetSocketAddress(HERE, 0), POD, answers);
    client = AgentTestClient.at(HERE, server.port());
  }

  @AfterEach
  void stop() {
    client.close();
    server.kill();
    transport.close();
  }

  @Test
  void shouldAnswerOrdersAndRole() {
    assertThat(client.groups(SCENARIO_PROVISION, "b-1", "a-1"))
        .isEqualTo(new WorkOrder(List.of("a-1", "b-1"), true));
    assertThat(client.pods(SCENARIO_UPGRADE, "db-0", "db-2", "db-1"))
        .isEqualTo(new WorkOrder(List.of("db-1", "db-2", "db-0"), false));
    assertThat(client.role()).isEqualTo("replica");
    assertThat(client.health()).isEqualTo(ServingStatus.SERVING);
  }

  @Test
  void shouldRefuseRequestsThatTheProtocolForbids() {
    var valid =
        GetPodOrderRequest.newBuilder().setGroupName("g").setScenario(SCENARIO_UPGRADE).build();

    assertRefused(valid.toBuilder().clearScenario(), Status.Code.INVALID_ARGUMENT, "scenario");
    assertRefused(
        valid.toBuilder().setScenarioValue(UNKNOWN_SCENARIO), Status.Code.UNIMPLEMENTED, "too old");
    assertRefused(
        valid.toBuilder().clearGroupName(), Status.Code.INVALID_ARGUMENT, "component or group");
    assertRefused(valid.toBuilder().addPods(""), Status.Code.INVALID_ARGUMENT, "''");
    assertRefused(
        valid.toBuilder().addPods("db-0").addPods("db-0"), Status.Code.INVALID_ARGUMENT, "'db-0'");
  }

  @Test
  void shouldReportActionsThatTheDriverDoesNotImplement() {
    assertUnimplemented(() -> client.switchover("o"), "switch over");
    assertUnimplemented(() -> client.reload("o", Map.of()), "reload");
    assertUnimplemented(() -> client.drain("o"), "drain");
    assertUnimplemented(() -> client.runAction("o", "flush"), "run the action flush");
  }

  @Test
  void shouldRefuseAQuestionThatTheDriverDoesNotKnow() {
    assertThatThrownBy(() -> client.measureOf("db-1", "u1", "lag"))
        .hasMessageContaining("FAILED_PRECONDITION: this agent does not know the question lag");
  }

  private static void assertUnimplemented(Runnable call, String action) {
    assertThatThrownBy(call::run)
        .hasMessageContaining("UNIMPLEMENTED")
        .hasMessageContaining("this agent cannot " + action);
  }

  @Test
  void shouldRefuseEveryCallForAnotherPod() {
    assertWrongPod(() -> client.roleOf("db-1", "u2"), "db-1 (uid u1), not db-1 (uid u2)");
    assertWrongPod(() -> client.roleOf("db-2", ""), "db-1 (uid u1), not db-2");
    assertWrongPod(() -> client.measureOf("db-2", "", "lag"), "db-1 (uid u1), not db-2");
    assertWrongPod(() -> client.switchoverOf("db-1", "u2"), "db-1 (uid u1), not db-1 (uid u2)");
    assertWrongPod(() -> client.reloadOf("db-1", "u2"), "the pod at this address is ");
    assertWrongPod(() -> client.drainOf("db-1", "u2"), "the pod at this address is ");
    assertWrongPod(() -> client.runActionOf("db-1", "u2"), "the pod at this address is ");
  }

  @Test
  void shouldCompareOnlyWhatIsKnownOfThePod() {
    assertThat(client.roleOf("db-1", "u1")).isEqualTo("replica");
    assertThat(client.roleOf("db-1", "")).isEqualTo("replica");
    assertThat(client.roleOf("", "u1")).isEqualTo("replica");
    assertUnimplemented(() -> client.switchoverOf("db-1", "u1"), "switch over");
  }

  private static void assertWrongPod(Runnable call, String why) {
    assertThatThrownBy(call::run).hasMessageContaining("UNAVAILABLE").hasMessageContaining(why);
  }

  @Test
  void shouldNameAnAddressThatIsInUse() {
    var taken = new InetSocketAddress(HERE, server.port());
    var answers = new ReplicationAnswers(new FixedReplication("db-1", "db-0"));

    assertThatThrownBy(() -> AgentServer.start(transport, taken, POD, answers))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(String.valueOf(server.port()));
  }

  private void assertRefused(GetPodOrderRequest.Builder request, Status.Code code, String why) {
    assertThatThrownBy(() -> client.pods(request.build()))
        .asInstanceOf(throwable(StatusRuntimeException.class))
        .extracting(StatusRuntimeException::getStatus)
        .satisfies(
            status -> {
              assertThat(status.getCode()).isEqualTo(code);
              assertThat(status.getDescription()).contains(why);
            });
  }
}
