package io.middleware.engine.activities.agents;

import io.grpc.stub.AbstractStub;
import io.middleware.engine.activities.agents.AgentCalls.AgentCall;
import io.middleware.engine.activities.kubernetes.NaturalOrder;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.Role;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.proto.agent.v1.Agent2Grpc;
import io.middleware.engine.proto.agent.v1.GetGroupOrderRequest;
import io.middleware.engine.proto.agent.v1.GetPodOrderRequest;
import io.middleware.engine.proto.agent.v1.Scenario;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The agents' answers, checked, in the engine's words. */
public final class AgentQueries {
  private final AgentCalls calls;
  private final AgentCalls oneCall;
  private final AgentPolicy policy;

  /** Asks over these connections, as patiently as the policy says. */
  public AgentQueries(AgentChannels channels, AgentPolicy policy) {
    this.calls = new AgentCalls(channels, policy);
    this.oneCall = new AgentCalls(channels, policy.once());
    this.policy = policy;
  }

  /**
   * @param at where the agents listen
   * @param pods that may be asked, all of them ready
   */
  record CandidatePods(AgentEndpoint at, List<PodState> pods) {}

  /**
   * @param subject name of the component, or of the Group object
   * @param names to put in order
   */
  record OrderQuery(
      String subject, io.middleware.engine.api.task.Scenario scenario, List<String> names) {
    OrderQuery {
      names = names.stream().sorted(NaturalOrder.OF_NAMES).toList();
    }

    private Scenario word() {
      return switch (scenario) {
        case PROVISION -> Scenario.SCENARIO_PROVISION;
        case STOP -> Scenario.SCENARIO_STOP;
        case UPDATE -> Scenario.SCENARIO_UPDATE;
        case UPGRADE -> Scenario.SCENARIO_UPGRADE;
      };
    }
  }

  /** Where the plugin says that the agents listen. */
  public static AgentEndpoint endpoint(PluginSpec plugin) {
    var agent = plugin.agent();
    return agent == null || agent.port() == null
        ? AgentEndpoint.NONE
        : new AgentEndpoint(agent.port(), agent.tls() == null ? "" : agent.tls().secretName());
  }

  /** The order of a component's groups. */
  OrderAnswer<ExecutionOrder> groupOrder(CandidatePods audience, OrderQuery matter) {
    var request =
        GetGroupOrderRequest.newBuilder()
            .setComponentName(matter.subject())
            .setScenario(matter.word())
            .addAllGroups(matter.names())
            .build();
    return order(
        audience,
        matter,
        new AgentCall<>(
            audience.at(),
            channel -> {
              var answer = limited(Agent2Grpc.newBlockingStub(channel)).getGroupOrder(request);
              return new ExecutionOrder(answer.getOrderList(), answer.getConcurrent());
            }));
  }

  /** The order of a group's pods. */
  OrderAnswer<ExecutionOrder> podOrder(CandidatePods audience, OrderQuery matter) {
    var request =
        GetPodOrderRequest.newBuilder()
            .setGroupName(matter.subject())
            .setScenario(matter.word())
            .addAllPods(matter.names())
            .build();
    return order(
        audience,
        matter,
        new AgentCall<>(
            audience.at(),
            channel -> {
              var answer = limited(Agent2Grpc.newBlockingStub(channel)).getPodOrder(request);
              return new ExecutionOrder(answer.getOrderList(), answer.getConcurrent());
            }));
  }

  /** The part that a pod plays; empty when its agent cannot tell, or tells no word. */
  public String role(AgentEndpoint at, PodState pod) {
    return role(at, pod, calls);
  }

  /** The same, asked once: where little depends on it. */
  public String roleAtOnce(AgentEndpoint at, PodState pod) {
    return role(at, pod, oneCall);
  }

  private String role(AgentEndpoint at, PodState pod, AgentCalls patience) {
    var request = GetRoleRequest.newBuilder().setPodName(pod.name()).setPodUid(pod.uid()).build();
    var answer =
        patience.ask(
            List.of(pod),
            new AgentCall<>(
                at,
                channel ->
                    limited(ToolInvokerGrpc.newBlockingStub(channel)).getRole(request).getRole()));
    return switch (answer) {
      case OrderAnswer.Given<String>(var role, var by) -> Role.word(role);
      case OrderAnswer.Missing<String> missing -> "";
      case OrderAnswer.Refused<String> refused -> "";
    };
  }

  private OrderAnswer<ExecutionOrder> order(
      CandidatePods audience, OrderQuery matter, AgentCall<ExecutionOrder> question) {
    var answer = calls.ask(audience.pods(), question);
    if (!(answer instanceof OrderAnswer.Given<ExecutionOrder>(var order, var by))) {
      return answer;
    }
    if (order.names().isEmpty()) {
      return new OrderAnswer.Given<>(new ExecutionOrder(matter.names(), true), by);
    }
    OrderCheck.permutation(by, matter.names(), order.names());
    return answer;
  }

  private <S extends AbstractStub<S>> S limited(S stub) {
    return stub.withDeadlineAfter(policy.deadline().toNanos(), TimeUnit.NANOSECONDS)
        .withMaxInboundMessageSize(policy.maxReplyBytes());
  }
}
