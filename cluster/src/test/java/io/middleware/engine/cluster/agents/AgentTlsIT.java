package io.middleware.engine.cluster.agents;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionDone;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnanswered;
import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.process.agents.AgentConnection;
import io.middleware.engine.process.agents.Identity;
import io.middleware.engine.process.agents.TlsSecret;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.temporal.failure.ApplicationFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With an agent that asks for a certificate and shows one. */
class AgentTlsIT {
  private static final String HERE = "127.0.0.1";
  private static Identity engine;
  private static Identity right;
  private static Identity otherKey;
  private static Identity otherName;

  private int version;
  private TlsSecret secret;
  private KubernetesClientException refusal;
  private final AgentChannels channels = new AgentChannels(name -> read());
  private FakeAgent agent;

  @BeforeAll
  static void makeCertificates(@TempDir Path folder) {
    engine = Identity.of("engine", folder);
    right = Identity.of(AgentConnection.NAME, folder);
    otherKey = Identity.of(AgentConnection.NAME, folder);
    otherName = Identity.of("elsewhere", folder);
  }

  @AfterEach
  void stop() {
    channels.close();
    agent.close();
  }

  @Test
  void shouldConnectWhenBothCertificatesAreTrusted() throws IOException {
    agentShows(right);
    secretHolds(right, engine);
    assertThat(switchover()).isEqualTo(new ActionDone<>("db-1"));
    assertThat(role()).isEqualTo("replica");
  }

  @Test
  void shouldRefuseAnAgentWithAWrongCertificate() throws IOException {
    agentShows(otherKey);
    secretHolds(right, engine);
    assertNotAsked();
  }

  @Test
  void shouldRefuseAnAgentWithAnotherName() throws IOException {
    agentShows(otherName);
    secretHolds(otherName, engine);
    assertNotAsked();
  }

  @Test
  void shouldRefuseAnUnencryptedConnection() throws IOException {
    agent = new FakeAgent(HERE, 0, InsecureServerCredentials.create());
    secretHolds(right, engine);
    assertNotAsked();
  }

  @Test
  void shouldBeRefusedWithACertificateThatTheAgentDoesNotTrust() throws IOException {
    agentShows(right);
    secretHolds(right, otherKey);
    assertNotAsked();
  }

  @Test
  void shouldUseANewCertificate() throws IOException {
    agentShows(right);
    secretHolds(otherKey, engine);
    assertThat(switchover()).isInstanceOf(ActionUnanswered.class);
    secretHolds(right, engine);
    assertThat(switchover()).isEqualTo(new ActionDone<>("db-1"));
  }

  @Test
  void shouldSayWhatTheSecretLacks() throws IOException {
    agentShows(right);
    secretHolds(right, engine);
    change(data -> data.remove("ca.crt"));
    assertInvalid("Secret middleware-system/agents", "has no ca.crt");
    change(data -> data.put("ca.crt", "?"));
    assertInvalid("has a value that is not base64: ca.crt");
    change(data -> data.put("ca.crt", "bm8gY2VydGlmaWNhdGU="));
    assertInvalid("cannot be used", "in PEM");
  }

  @Test
  void shouldSayWhichRoleTheEngineLacks() throws IOException {
    agentShows(right);
    refusal = new KubernetesClientException("secrets \"agents\" is forbidden", 403, new Status());
    assertThatThrownBy(this::switchover)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("Forbidden");
              assertThat(e.getOriginalMessage())
                  .contains("read Secret agents", "worker and watcher need a Role", "forbidden");
            });
  }

  private void assertNotAsked() {
    assertThat(switchover())
        .isInstanceOfSatisfying(
            ActionUnanswered.class, gone -> assertThat(gone.why()).contains("TLS: "));
    assertThat(role()).isEmpty();
    assertThat(agent.calls).isEmpty();
  }

  private void assertInvalid(String... texts) {
    assertThatThrownBy(this::switchover)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("Invalid");
              assertThat(e.getOriginalMessage()).contains(texts);
            });
  }

  private ActionOutcome<String> switchover() {
    agent.switchover = FakeAgent.switchesOverTo("db-1");
    var call = new ActionCall(endpoint(), readyAt("db-0", "old", HERE), "step/1");
    return new AgentActions(channels, policy()).switchover(call, message -> {});
  }

  private String role() {
    return new AgentQueries(channels, policy()).role(endpoint(), readyAt("db-0", "old", HERE));
  }

  private AgentEndpoint endpoint() {
    return new AgentEndpoint(agent.port(), "agents");
  }

  private static AgentPolicy policy() {
    return new AgentPolicy(Duration.ofSeconds(5), 2, 1024);
  }

  private void agentShows(Identity identity) throws IOException {
    agent = new FakeAgent(HERE, 0, credentials(identity));
  }

  private static ServerCredentials credentials(Identity identity) throws IOException {
    return TlsServerCredentials.newBuilder()
        .keyManager(stream(identity.certificate()), stream(identity.key()))
        .trustManager(stream(engine.certificate()))
        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
        .build();
  }

  private TlsSecret read() {
    if (refusal != null) {
      throw refusal;
    }
    return secret;
  }

  private void secretHolds(Identity known, Identity own) {
    version++;
    secret = own.towards(known, String.valueOf(version));
  }

  private void change(Consumer<Map<String, String>> edit) {
    version++;
    var data = new HashMap<>(secret.data());
    edit.accept(data);
    secret = new TlsSecret(secret.name(), String.valueOf(version), data);
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
