package io.middleware.engine.watcher.roles;

import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.Role;
import io.middleware.engine.process.AgentConnection;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Asks by gRPC. Each question has a connection of its own: questions are seldom, and a connection
 * kept for each pod would be most of what the watcher holds.
 */
public final class GrpcRoleQuestion implements RoleQuestion {
  private final Duration deadline;
  private final int maxReplyBytes;
  private final Counter answered;
  private final Counter unanswered;

  public GrpcRoleQuestion(Duration deadline, int maxReplyBytes, MeterRegistry registry) {
    this.deadline = deadline;
    this.maxReplyBytes = maxReplyBytes;
    this.answered = registry.counter("middleware.role.questions", "answered", "true");
    this.unanswered = registry.counter("middleware.role.questions", "answered", "false");
  }

  @Override
  public Optional<String> put(AskedPod pod) {
    var request = GetRoleRequest.newBuilder().setPodName(pod.name()).setPodUid(pod.uid()).build();
    var connection = AgentConnection.to(pod.agent());
    try {
      var answer =
          ToolInvokerGrpc.newBlockingStub(connection)
              .withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS)
              .withMaxInboundMessageSize(maxReplyBytes)
              .getRole(request);
      answered.increment();
      return Optional.of(Role.word(answer.getRole()));
    } catch (StatusRuntimeException e) {
      unanswered.increment();
      return Optional.empty();
    } finally {
      connection.shutdownNow();
    }
  }
}
