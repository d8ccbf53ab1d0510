package io.middleware.engine.simulator.agents;

import static io.middleware.engine.agent.replication.GroupMember.Health.READY;
import static io.middleware.engine.agent.replication.GroupMember.Health.TERMINATING;
import static io.middleware.engine.agent.replication.GroupMember.Health.UNREADY;
import static io.middleware.engine.proto.agent.v1.Scenario.SCENARIO_UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.replication.GroupMember;
import io.middleware.engine.agent.replication.GroupMember.Health;
import io.middleware.engine.agent.server.AgentTestClient;
import io.middleware.engine.agent.server.SharedTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uses real sockets: each pod has its own loopback address, like in the local environment. */
class SimulatedAgentsTest {
  private static final GroupKey GROUP = new GroupKey("shop", "cache", "nodes", "all");
  private static final String NET = "127.77.0.";

  private final Map<String, SimulatedPod> pods = new ConcurrentHashMap<>();
  private final List<PodAnnotation> annotations = new CopyOnWriteArrayList<>();
  private final SharedTransport transport = new SharedTransport();
  private int port;
  private SimulatedAgents agents;

  @BeforeEach
  void start() throws IOException {
    try (var free = new ServerSocket(0, 1, InetAddress.getByName(NET + 1))) {
      port = free.getLocalPort();
    }
    agents =
        new SimulatedAgents(
            transport,
            port,
            key -> List.copyOf(pods.values()),
            uid -> Optional.empty(),
            annotations::add);
  }

  @AfterEach
  void stop() {
    agents.close();
    transport.close();
  }

  @Test
  void shouldAnswerForEachPodOnItsOwnIp() {
    observe(pod(0, READY), pod(1, READY), pod(2, UNREADY));

    awaitRoles("primary", "replica", "replica");
    try (var client = client(1)) {
      assertThat(client.pods(SCENARIO_UPGRADE, "db-0", "db-1", "db-2").names())
          .containsExactly("db-1", "db-2", "db-0");
    }
  }

  @Test
  void shouldMoveThePrimaryWhenItsPodIsDeleted() {
    observe(pod(0, READY), pod(1, READY), pod(2, READY));
    awaitRoles("primary", "replica", "replica");

    observe(pod(0, TERMINATING));

    awaitRoles("replica", "primary", "replica");
  }

  @Test
  void shouldStopAnsweringWhenAPodIsGoneOrDead() {
    observe(pod(0, READY), pod(1, READY), pod(2, READY));
    awaitRoles("primary", "replica", "replica");

    pods.remove("uid-0");
    observe(with(pod(1, READY), AgentFault.DEAD));

    await().untilAsserted(() -> assertClosed(0));
    await().untilAsserted(() -> assertClosed(1));
    assertThat(role(2)).isEqualTo("replica");
  }

  @Test
  void shouldFollowAPodToAnotherIp() {
    observe(pod(0, READY));
    await().untilAsserted(() -> assertThat(role(0)).isEqualTo("primary"));

    var moved = pod(0, READY);
    observe(
        new SimulatedPod(
            GROUP, moved.member(), Optional.of(NET + 9), AgentFault.NONE, "replica", "0"));

    await().untilAsserted(() -> assertClosed(0));
    await().untilAsserted(() -> assertThat(roleAt(NET + 9)).isEqualTo("primary"));
  }

  @Test
  void shouldRetryUntilAnAddressIsFree() throws IOException {
    try (var taken = new ServerSocket(port, 1, InetAddress.getByName(NET + 1))) {
      assertThat(taken.isBound()).isTrue();
      observe(pod(0, READY), pod(1, READY));
      await().untilAsserted(() -> assertThat(role(1)).isEqualTo("replica"));
    }

    await().untilAsserted(() -> assertThat(role(0)).isEqualTo("primary"));
  }

  @Test
  void shouldSetAndRemoveAFaultWithoutRestart() {
    observe(with(pod(0, READY), AgentFault.MISSING_POD));
    await().untilAsserted(() -> assertThat(order(0)).containsExactly("db-0"));

    observe(pod(0, READY));

    await().untilAsserted(() -> assertThat(order(0)).containsExactly("db-1", "db-0"));
  }

  @Test
  void shouldHangUpAndListenAgain() {
    observe(with(pod(0, READY), AgentFault.HANGS_UP));
    await().untilAsserted(() -> assertThat(role(0)).contains("RST_STREAM"));

    observe(pod(0, READY));

    await().untilAsserted(() -> assertThat(role(0)).isEqualTo("primary"));
  }

  @Test
  void shouldUseTlsWithAnUntrustedCertificate() {
    observe(pod(0, READY));
    await().untilAsserted(() -> assertThat(role(0)).isEqualTo("primary"));

    observe(with(pod(0, READY), AgentFault.WRONG_CERTIFICATE));

    await() // a program makes the certificate first
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(handshake(0)).contains("valid certification path"));
    assertThat(role(0)).contains("UNAVAILABLE");
    observe(pod(0, READY));
    await().untilAsserted(() -> assertThat(role(0)).isEqualTo("primary"));
  }

  @Test
  void shouldSwitchOverToAnotherReadyPod() {
    // Given
    observe(pod(0, READY), pod(1, UNREADY), pod(2, READY));
    awaitRoles("primary", "replica", "replica");
    try (var client = client(0)) {
      // When
      assertThat(client.switchover("o-1")).isEqualTo("db-2");
      assertThat(client.switchover("o-2")).isEqualTo("db-2");
    }
    // Then
    awaitRoles("replica", "replica", "primary");
    assertThat(annotations)
        .containsExactly(new PodAnnotation("shop", "db-2", PodAnnotation.TOOK_OVER_FROM, "db-0"));
  }

  @Test
  void shouldIgnoreAPromotionAfterASwitchover() {
    observe(pod(0, READY), promoted(1));
    awaitRoles("replica", "primary");
    try (var client = client(1)) {
      assertThat(client.switchover("o-1")).isEqualTo("db-0");
    }

    observe(pod(2, READY));

    awaitRoles("primary", "replica", "replica");
  }

  @Test
  void shouldReportTheReplicaRoleOfThePod() {
    observe(following(0), following(1));

    awaitRoles("primary", "follower");
  }

  @Test
  void shouldRefuseToSwitchOverWithoutAnotherReadyPod() {
    observe(pod(0, READY), pod(1, UNREADY));
    awaitRoles("primary", "replica");

    try (var client = client(0)) {
      assertThatThrownBy(() -> client.switchover("o-1"))
          .hasMessageContaining("FAILED_PRECONDITION")
          .hasMessageContaining("no other pod of the group is ready");
    }
    assertThat(role(0)).isEqualTo("primary");
  }

  @Test
  void shouldReturnTheChecksumOfTheParametersInForce() {
    observe(pod(0, READY));
    awaitRoles("primary");

    try (var client = client(0)) {
      assertThat(client.reload("o-1", Map.of("maxmemory", "64mb", "appendonly", "yes")))
          .isEqualTo("b5dad7ae97d4fa4726c5332a7dae36016c455dc6486f174a1daaf2449138e858");
      assertThat(client.drain("o-2")).isTrue();
      assertThat(annotations)
          .containsExactly(new PodAnnotation("shop", "db-0", PodAnnotation.DRAINED, "true"));
    }
  }

  private static SimulatedPod promoted(int number) {
    var member = new GroupMember("uid-" + number, "db-" + number, Instant.EPOCH, READY, true);
    return new SimulatedPod(
        GROUP, member, Optional.of(ip(number)), AgentFault.NONE, "replica", "0");
  }

  private void observe(SimulatedPod... changed) {
    Stream.of(changed).forEach(pod -> pods.put(pod.uid(), pod));
    agents.changed(GROUP);
  }

  private void awaitRoles(String... roles) {
    for (var i = 0; i < roles.length; i++) {
      var number = i;
      await().untilAsserted(() -> assertThat(role(number)).isEqualTo(roles[number]));
    }
  }

  private String role(int number) {
    return roleAt(ip(number));
  }

  private String roleAt(String ip) {
    try (var client = AgentTestClient.at(ip, port)) {
      return client.role();
    } catch (StatusRuntimeException e) {
      return e.getMessage();
    }
  }

  private List<String> order(int number) {
    try (var client = client(number)) {
      return client.pods(SCENARIO_UPGRADE, "db-0", "db-1").names();
    } catch (StatusRuntimeException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  /** Connects with TLS and trusts only the certificates of the JDK. */
  private String handshake(int number) {
    try (var socket = SSLSocketFactory.getDefault().createSocket(ip(number), port)) {
      ((SSLSocket) socket).startHandshake();
      return "trusted";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void assertClosed(int number) {
    try (var client = client(number)) {
      assertThatThrownBy(client::role).hasMessageContaining("UNAVAILABLE");
    }
  }

  private AgentTestClient client(int number) {
    return AgentTestClient.at(ip(number), port);
  }

  private static String ip(int number) {
    return NET + (number + 1);
  }

  private static SimulatedPod pod(int number, Health health) {
    var member = new GroupMember("uid-" + number, "db-" + number, Instant.EPOCH, health, false);
    return new SimulatedPod(
        GROUP, member, Optional.of(ip(number)), AgentFault.NONE, "replica", "0");
  }

  private static SimulatedPod following(int number) {
    var pod = pod(number, READY);
    return new SimulatedPod(
        pod.group(), pod.member(), pod.processIp(), AgentFault.NONE, "follower", "0");
  }

  private static SimulatedPod with(SimulatedPod pod, AgentFault fault) {
    return new SimulatedPod(
        pod.group(), pod.member(), pod.processIp(), fault, pod.replicaRole(), pod.lag());
  }
}
