package io.middleware.engine.watcher.roles;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.Role;
import io.middleware.engine.process.agents.AgentConnection;
import io.middleware.engine.process.agents.InvalidSecretException;
import io.middleware.engine.process.agents.TlsSecrets;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks by gRPC. Each question has a connection of its own: questions are seldom, and a connection
 * kept for each pod would be most of what the watcher holds.
 */
public final class GrpcRoleClient implements RoleClient {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcRoleClient.class);

  private final Limits limits;
  private final TlsSecrets secrets;
  private final Counter answered;
  private final Counter unanswered;
  private final AtomicReference<String> complaint = new AtomicReference<>("");

  /** How long an answer may take, and how long it may be. */
  public record Limits(Duration deadline, int maxReplyBytes) {}

  /**
   * @param secrets for agents that want TLS
   */
  public GrpcRoleClient(Limits limits, TlsSecrets secrets, MeterRegistry registry) {
    this.limits = limits;
    this.secrets = secrets;
    this.answered = registry.counter("middleware.role.questions", "answered", "true");
    this.unanswered = registry.counter("middleware.role.questions", "answered", "false");
  }

  @Override
  public Optional<String> put(AskedPod pod) {
    var said = connect(pod).flatMap(connection -> put(pod, connection));
    (said.isPresent() ? answered : unanswered).increment();
    return said;
  }

  private Optional<String> put(AskedPod pod, ManagedChannel connection) {
    var request = GetRoleRequest.newBuilder().setPodName(pod.name()).setPodUid(pod.uid()).build();
    try {
      var answer =
          ToolInvokerGrpc.newBlockingStub(connection)
              .withDeadlineAfter(limits.deadline().toNanos(), TimeUnit.NANOSECONDS)
              .withMaxInboundMessageSize(limits.maxReplyBytes())
              .getRole(request);
      return Optional.of(Role.word(answer.getRole()));
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    } finally {
      connection.shutdownNow();
    }
  }

  /** Nothing when the certificate to show cannot be had: the agent is then not asked. */
  private Optional<ManagedChannel> connect(AskedPod pod) {
    var name = pod.agents().tlsSecret();
    if (name.isEmpty()) {
      return Optional.of(AgentConnection.to(pod.address()));
    }
    try {
      return Optional.of(AgentConnection.to(pod.address(), secrets.read(name)));
    } catch (InvalidSecretException | KubernetesClientException e) {
      complain("Secret %s: %s".formatted(name, e.getMessage()));
      return Optional.empty();
    }
  }

  /** Once, not for each pod. */
  private void complain(String why) {
    if (!why.equals(complaint.getAndSet(why))) {
      LOG.atWarn().addKeyValue("cause", why).log("agents that want TLS cannot be asked for roles");
    }
  }
}
