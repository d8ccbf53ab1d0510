package io.middleware.engine.watcher.roles;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.GetRoleResponse;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc.ToolInvokerImplBase;
import io.middleware.engine.watcher.roles.RoleClient.AskedPod;
import io.middleware.engine.watcher.roles.RoleClient.ReportedRole;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrpcRoleClientTest {
  private static final int LIMIT = 1024;

  private final GrpcRoleClient client = client(Duration.ofSeconds(10));
  private volatile GetRoleRequest meant;
  private Server server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.shutdownNow();
    }
  }

  @ParameterizedTest
  @CsvSource({"primary,primary", "'',''", "What? No.,''"})
  void shouldTakeAWordForARole(String said, String role) throws IOException {
    // Given
    var agent = agent(call -> answer(call, said));

    // When
    var answer = client.roleOf(agent);

    // Then
    assertThat(answer).hasValue(new ReportedRole(role, ""));
  }

  @Test
  void shouldNameThePodThatIsMeant() throws IOException {
    // Given
    var agent = agent(call -> answer(call, "primary"));

    // When
    client.roleOf(agent);

    // Then
    assertThat(meant.getPodName()).isEqualTo("db-0");
    assertThat(meant.getPodUid()).isEqualTo("u0");
  }

  @Test
  void shouldTakeAnErrorForNoAnswer() throws IOException {
    // Given
    var agent = agent(call -> call.onError(Status.UNAVAILABLE.asRuntimeException()));

    // When
    var answer = client.roleOf(agent);

    // Then
    assertThat(answer).isEmpty();
  }

  @Test
  void shouldNotWaitForAnAgentThatHangs() throws IOException {
    // Given
    var agent = agent(call -> {});

    // When
    var answer = client(Duration.ofMillis(200)).roleOf(agent);

    // Then
    assertThat(answer).isEmpty();
  }

  @Test
  void shouldReadNoHugeAnswer() throws IOException {
    // Given
    var agent = agent(call -> answer(call, "p".repeat(2 * LIMIT)));

    // When
    var answer = client.roleOf(agent);

    // Then
    assertThat(answer).isEmpty();
  }

  @Test
  void shouldTakeAClosedPortForNoAnswer() throws IOException {
    // Given
    var agent = agent(call -> answer(call, "primary"));
    server.shutdownNow();

    // When
    var answer = client.roleOf(agent);

    // Then
    assertThat(answer).isEmpty();
  }

  private static GrpcRoleClient client(Duration deadline) {
    return new GrpcRoleClient(
        new GrpcRoleClient.CallLimits(deadline, LIMIT), name -> null, new SimpleMeterRegistry());
  }

  private AskedPod agent(Consumer<StreamObserver<GetRoleResponse>> behaviour) throws IOException {
    server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(
                new ToolInvokerImplBase() {
                  @Override
                  public void getRole(
                      GetRoleRequest request, StreamObserver<GetRoleResponse> call) {
                    meant = request;
                    behaviour.accept(call);
                  }
                })
            .build()
            .start();
    return new AskedPod("db-0", "u0", "127.0.0.1", new AgentEndpoint(server.getPort(), ""));
  }

  private static void answer(StreamObserver<GetRoleResponse> call, String role) {
    call.onNext(GetRoleResponse.newBuilder().setRole(role).build());
    call.onCompleted();
  }
}
