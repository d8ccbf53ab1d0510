package io.middleware.engine.watcher.roles;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.Role;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.process.EngineMetric;
import io.middleware.engine.process.agents.TlsSecrets;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Asks agents by gRPC. Each call has its own connection, as calls are rare; what an agent says by
 * itself comes by {@link #streams}.
 */
public final class GrpcRoleClient implements RoleClient {
  private final CallLimits limits;
  private final RoleConnections connections;
  private final Counter answered;
  private final Counter unanswered;

  /** The deadline of a call and the largest reply in bytes. */
  public record CallLimits(Duration deadline, int maxReplyBytes) {}

  /**
   * @param secrets for agents with TLS
   */
  public GrpcRoleClient(CallLimits limits, TlsSecrets secrets, MeterRegistry registry) {
    this.limits = limits;
    this.connections = new RoleConnections(secrets);
    this.answered = EngineMetric.ROLE_QUESTIONS.counter(registry, "true");
    this.unanswered = EngineMetric.ROLE_QUESTIONS.counter(registry, "false");
  }

  /** To the same agents. */
  RoleStreams streams() {
    return new GrpcRoleStreams(connections, limits.maxReplyBytes());
  }

  @Override
  public Optional<ReportedRole> roleOf(AskedPod pod) {
    var role = connections.to(pod).flatMap(connection -> roleOf(pod, connection));
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
              Role.word(answer.getRole()),
              PlainText.clean(answer.getProblem(), ReportedRole.LONGEST_TROUBLE)));
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    } finally {
      connection.shutdownNow();
    }
  }
}
