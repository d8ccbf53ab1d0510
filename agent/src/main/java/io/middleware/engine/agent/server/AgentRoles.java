package io.middleware.engine.agent.server;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * The roles of other pods, as their agents say. They have the same certificates as this agent.
 *
 * @param service the headless Service of the group, which gives each pod a name
 * @param longest time for an answer
 */
public record AgentRoles(SharedTransport transport, String service, int port, Duration longest) {
  /** A question for an order has 5 s, and this is a part of it. */
  private static final Duration LONGEST = Duration.ofSeconds(2);

  public AgentRoles(SharedTransport transport, String service, int port) {
    this(transport, service, port, LONGEST);
  }

  /** The role of each pod whose agent answers with one, by pod. */
  public Map<String, String> of(List<String> pods) {
    Map<String, String> roles = new ConcurrentHashMap<>();
    try (var calls = Executors.newVirtualThreadPerTaskExecutor()) {
      pods.forEach(pod -> calls.execute(() -> ask(pod, roles)));
    }
    return roles;
  }

  private void ask(String pod, Map<String, String> roles) {
    try {
      roles.put(pod, role(pod));
    } catch (StatusRuntimeException | IllegalArgumentException e) {
      // it has not said its role, or its name is none of a host
    }
  }

  private String role(String pod) {
    var channel = transport.channel(pod + "." + service, port);
    try {
      var request = GetRoleRequest.newBuilder().setPodName(pod).build();
      return ToolInvokerGrpc.newBlockingStub(channel)
          .withDeadlineAfter(longest.toMillis(), MILLISECONDS)
          .getRole(request)
          .getRole();
    } finally {
      channel.shutdownNow();
    }
  }
}
