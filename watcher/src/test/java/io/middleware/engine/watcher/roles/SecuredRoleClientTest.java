package io.middleware.engine.watcher.roles;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.Grpc;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.process.agents.AgentConnection;
import io.middleware.engine.process.agents.Identity;
import io.middleware.engine.process.agents.TlsSecrets;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.GetRoleResponse;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc.ToolInvokerImplBase;
import io.middleware.engine.watcher.roles.RoleClient.AskedPod;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of an agent that asks for a certificate and shows one. */
class SecuredRoleClientTest {
  private static Identity engine;
  private static Identity agent;
  private static Identity stranger;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private Server server;

  @BeforeAll
  static void makeCertificates(@TempDir Path folder) {
    engine = Identity.of("engine", folder);
    agent = Identity.of(AgentConnection.NAME, folder);
    stranger = Identity.of("stranger", folder);
  }

  @BeforeEach
  void start() throws IOException {
    server =
        Grpc.newServerBuilderForPort(0, credentials())
            .addService(
                new ToolInvokerImplBase() {
                  @Override
                  public void getRole(GetRoleRequest asked, StreamObserver<GetRoleResponse> to) {
                    to.onNext(GetRoleResponse.newBuilder().setRole("primary").build());
                    to.onCompleted();
                  }
                })
            .build()
            .start();
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
  }

  @Test
  void shouldShowTheCertificateOfThePluginsSecret() {
    // When
    var answer = ask(name -> engine.towards(agent, name));

    // Then
    assertThat(answer).hasValue("primary");
    assertThat(registry.counter("middleware.role.questions", "answered", "true").count()).isOne();
  }

  @Test
  void shouldHaveNoAnswerWithACertificateThatTheAgentDoesNotKnow() {
    assertThat(ask(name -> stranger.towards(agent, name))).isEmpty();
  }

  @Test
  void shouldHaveNoAnswerFromAnAgentOfAnotherCertificate() {
    assertThat(ask(name -> engine.towards(stranger, name))).isEmpty();
  }

  @Test
  void shouldHaveNoAnswerWithoutTheSecret() {
    // When
    var answer =
        ask(
            name -> {
              throw new KubernetesClientException("no rights");
            });

    // Then
    assertThat(answer).isEmpty();
    assertThat(registry.counter("middleware.role.questions", "answered", "false").count()).isOne();
  }

  private Optional<String> ask(TlsSecrets secrets) {
    var limits = new GrpcRoleClient.CallLimits(Duration.ofSeconds(10), 1024);
    var at = new AgentEndpoint(server.getPort(), "agents");
    return new GrpcRoleClient(limits, secrets, registry)
        .roleOf(new AskedPod("db-0", "u0", "127.0.0.1", at))
        .map(RoleClient.ReportedRole::role);
  }

  private static ServerCredentials credentials() throws IOException {
    return TlsServerCredentials.newBuilder()
        .keyManager(stream(agent.certificate()), stream(agent.key()))
        .trustManager(stream(engine.certificate()))
        .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
        .build();
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
