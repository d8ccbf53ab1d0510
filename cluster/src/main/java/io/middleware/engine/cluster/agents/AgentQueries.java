package io.middleware.engine.cluster.agents;

import io.grpc.stub.AbstractStub;
import io.middleware.engine.api.Role;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentQuestion.AgentCall;
import io.middleware.engine.proto.agent.v1.Agent2Grpc;
import io.middleware.engine.proto.agent.v1.Agent2Grpc.Agent2BlockingStub;
import io.middleware.engine.proto.agent.v1.GetGroupOrderRequest;
import io.middleware.engine.proto.agent.v1.GetPodOrderRequest;
import io.middleware.engine.proto.agent.v1.Scenario;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.MeasureRequest;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** Asks agents for orders and roles, checks their answers and translates them. */
public final class AgentQueries {
  private static final int MOST_OF_AN_ANSWER = 256;

  private final AgentChannels channels;
  private final AgentPolicy policy;
  private final Consumer<String> trouble;

  public AgentQueries(AgentChannels channels, AgentPolicy policy) {
    this(channels, policy, why -> {});
  }

  private AgentQueries(AgentChannels channels, AgentPolicy policy, Consumer<String> trouble) {
    this.channels = channels;
    this.policy = policy;
    this.trouble = trouble;
  }

  /** The same without patience, for callers that hold up other work. */
  public AgentQueries impatient() {
    return new AgentQueries(channels, policy.impatient(), trouble);
  }

  /** The same with a single call for each question, for callers that ask again by themselves. */
  public AgentQueries once() {
    return new AgentQueries(channels, policy.once(), trouble);
  }

  /** The same with calls that are over within a second, answered or not. */
  public AgentQueries brief() {
    return new AgentQueries(channels, policy.brief(), trouble);
  }

  /**
   * @param listener receives, from several threads, why a call has failed
   */
  public AgentQueries reportingTo(Consumer<String> listener) {
    return new AgentQueries(channels, policy, listener);
  }

  /**
   * @param subject name of the component, or of the Group object
   * @param names to put in order
   */
  record OrderQuery(
      String subject, io.middleware.engine.api.task.Scenario scenario, List<String> names) {
    OrderQuery {
      names = names.stream().sorted(NaturalOrder.OF_NAMES).toList();
    }

    private Scenario protocolScenario() {
      return switch (scenario) {
        case PROVISION -> Scenario.SCENARIO_PROVISION;
        case STOP -> Scenario.SCENARIO_STOP;
        case UPDATE -> Scenario.SCENARIO_UPDATE;
        case UPGRADE -> Scenario.SCENARIO_UPGRADE;
      };
    }
  }

  /** The endpoint of the Plugin's agents. */
  public static AgentEndpoint endpoint(PluginSpec plugin) {
    var agent = plugin.agent();
    return plugin.hasAgents()
        ? new AgentEndpoint(agent.port(), agent.tls() == null ? "" : agent.tls().secretName())
        : AgentEndpoint.NONE;
  }

  /**
   * Whether there is an agent to ask. A pod of another Plugin than the caller's may have one, too.
   */
  public boolean hasAgent(AgentEndpoint endpoint, PodState pod) {
    return channels.hasAgent(endpoint, pod);
  }

  /**
   * Whether a primary among these pods can be asked to switch over, as their own Plugins say.
   *
   * @param declared by the caller's Plugin, for pods of which nobody knows more
   */
  public boolean switchOver(boolean declared, List<PodState> pods) {
    return AgentCandidates.switchOver(declared, pods, pods());
  }

  /** How each pod is spoken to. */
  PodAgents pods() {
    return channels::agents;
  }

  /** The order of a component's groups. */
  AgentAnswer<ExecutionOrder> groupOrder(AgentCandidates candidates, OrderQuery query) {
    var request =
        GetGroupOrderRequest.newBuilder()
            .setComponentName(query.subject())
            .setScenario(query.protocolScenario())
            .addAllGroups(query.names())
            .build();
    return order(
        candidates,
        query,
        "GetGroupOrder",
        agent -> {
          var answer = agent.getGroupOrder(request);
          return new ExecutionOrder(answer.getOrderList(), answer.getConcurrent());
        });
  }

  /** The order of a group's pods. */
  AgentAnswer<ExecutionOrder> podOrder(AgentCandidates candidates, OrderQuery query) {
    var request =
        GetPodOrderRequest.newBuilder()
            .setGroupName(query.subject())
            .setScenario(query.protocolScenario())
            .addAllPods(query.names())
            .build();
    return order(
        candidates,
        query,
        "GetPodOrder",
        agent -> {
          var answer = agent.getPodOrder(request);
          return new ExecutionOrder(answer.getOrderList(), answer.getConcurrent());
        });
  }

  /** A pod's role; empty when its agent does not answer, or not with a valid role. */
  public String role(AgentEndpoint endpoint, PodState pod) {
    return word(askForRole(endpoint, pod));
  }

  /** Asks for a role, with little patience: the caller can go on without the answer. */
  AgentAnswer<String> askForRole(AgentEndpoint endpoint, PodState pod) {
    var request = GetRoleRequest.newBuilder().setPodName(pod.name()).setPodUid(pod.uid()).build();
    return ask(
        policy.impatient(),
        List.of(pod),
        new AgentCall<>(
            endpoint,
            "GetRole",
            channel ->
                limited(ToolInvokerGrpc.newBlockingStub(channel)).getRole(request).getRole()));
  }

  /**
   * A pod's answer to a question of the Plugin, from a single call.
   *
   * @param question for example {@code lag}
   */
  public Measured measure(AgentEndpoint endpoint, PodState pod, String question) {
    var request =
        MeasureRequest.newBuilder()
            .setPodName(pod.name())
            .setPodUid(pod.uid())
            .setQuestion(question)
            .build();
    var answer =
        ask(
            policy.once(),
            List.of(pod),
            new AgentCall<>(
                endpoint,
                "Measure of " + question,
                channel ->
                    limited(ToolInvokerGrpc.newBlockingStub(channel))
                        .measure(request)
                        .getAnswer()));
    return switch (answer) {
      case AgentAnswer.AnswerGiven<String>(var text, var by) ->
          new Measured.Answered(PlainText.clean(text, MOST_OF_AN_ANSWER));
      case AgentAnswer.AnswerRefused<String>(var why) -> new Measured.Refused(why);
      case AgentAnswer.AnswerMissing<String>(var why, var lasting) -> new Measured.Unanswered(why);
    };
  }

  /** The role that an agent has answered, if that is a valid one; otherwise empty. */
  static String word(AgentAnswer<String> answer) {
    return switch (answer) {
      case AgentAnswer.AnswerGiven<String>(var role, var by) -> Role.word(role);
      case AgentAnswer.AnswerMissing<String> missing -> "";
      case AgentAnswer.AnswerRefused<String> refused -> "";
    };
  }

  private <T> AgentAnswer<T> ask(AgentPolicy limits, List<PodState> pods, AgentCall<T> call) {
    return new AgentQuestion<>(channels, limits, trouble, pods, call).ask();
  }

  private AgentAnswer<ExecutionOrder> order(
      AgentCandidates candidates,
      OrderQuery query,
      String question,
      Function<Agent2BlockingStub, ExecutionOrder> call) {
    var answer =
        ask(
            policy,
            candidates.pods(),
            new AgentCall<>(
                candidates.endpoint(),
                question,
                channel -> call.apply(limited(Agent2Grpc.newBlockingStub(channel)))));
    if (!(answer instanceof AgentAnswer.AnswerGiven<ExecutionOrder>(var order, var by))) {
      return answer;
    }
    if (order.names().isEmpty()) {
      return new AgentAnswer.AnswerGiven<>(new ExecutionOrder(query.names(), true), by);
    }
    OrderCheck.requirePermutation(by, query.names(), order.names());
    return answer;
  }

  private <S extends AbstractStub<S>> S limited(S stub) {
    return stub.withDeadlineAfter(policy.deadline().toNanos(), TimeUnit.NANOSECONDS)
        .withMaxInboundMessageSize(policy.maxReplyBytes());
  }
}
