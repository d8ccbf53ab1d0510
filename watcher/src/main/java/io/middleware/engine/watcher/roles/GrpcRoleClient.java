package io.middleware.engine.watcher.roles;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.Role;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.process.EngineMetric;
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
 * Asks agents by gRPC. Each call has its own connection: calls are rare, and one open connection
 * per pod would be most of the watcher's memory.
 */
public final class GrpcRoleClient implements RoleClient {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcRoleClient.class);

  private static final int LONGEST_TROUBLE = 300;

  private final CallLimits limits;
  private final TlsSecrets secrets;
  private final Counter answered;
  private final Counter unanswered;
  private final AtomicReference<String> lastProblem = new AtomicReference<>("");

  /** The deadline of a call and the largest reply in bytes. */
  public record CallLimits(Duration deadline, int maxReplyBytes) {}

  /**
   * @param secrets for agents with TLS
   */
  public GrpcRoleClient(CallLimits limits, TlsSecrets secrets, MeterRegistry registry) {
    this.limits = limits;
    this.secrets = secrets;
    this.answered = EngineMetric.ROLE_QUESTIONS.counter(registry, "true");
    this.unanswered = EngineMetric.ROLE_QUESTIONS.counter(registry, "false");
  }

  @Override
  public Optional<ReportedRole> roleOf(AskedPod pod) {
    var role = connect(pod).flatMap(connection -> roleOf(pod, connection));
    (role.isPresent() ? answered : unanswered).increment();
    return role;
  }

  private Optional<ReportedRole> roleOf(AskedPod pod, ManagedChannel connection) {
    var request = GetRoleRequest.newBuilder().setPodName(pod.name()).setPodUid(pod.uid()).build();
    try {
      var answer =
          ToolInvokerGrpc.newBlockingStub(connection)
              .withDeadlineAfter(limits.deadline().toNanos(), TimeUnit.NANOSECONDS)
              .withMaxInboundMessageSize(limits.maxReplyBytes())
              .getRole(request);
      return Optional.of(
          new ReportedRole(
              Role.word(answer.getRole()), PlainText.clean(answer.getProblem(), LONGEST_TROUBLE)));
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    } finally {
      connection.shutdownNow();
    }
  }

  /** Empty when the client certificate cannot be read; the agent is not asked then. */
  private Optional<ManagedChannel> connect(AskedPod pod) {
    var name = pod.agents().tlsSecret();
    if (name.isEmpty()) {
      return Optional.of(AgentConnection.to(pod.address()));
    }
    try {
      return Optional.of(AgentConnection.to(pod.address(), secrets.read(name)));
    } catch (InvalidSecretException | KubernetesClientException e) {
      logOnce("Secret %s: %s".formatted(name, e.getMessage()));
      return Optional.empty();
    }
  }

  /** Logs a problem once, not for each pod. */
  private void logOnce(String problem) {
    if (!problem.equals(lastProblem.getAndSet(problem))) {
      LOG.atWarn().addKeyValue("cause", problem).log("cannot ask agents with TLS for their roles");
    }
  }
}
