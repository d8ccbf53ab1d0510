package io.middleware.engine.agent.server;

import io.grpc.stub.StreamObserver;
import io.middleware.engine.proto.agent.v1.Agent2Grpc.Agent2ImplBase;
import io.middleware.engine.proto.agent.v1.GetGroupOrderRequest;
import io.middleware.engine.proto.agent.v1.GetGroupOrderResponse;
import io.middleware.engine.proto.agent.v1.GetPodOrderRequest;
import io.middleware.engine.proto.agent.v1.GetPodOrderResponse;

/** The service {@code Agent2}: orders of groups and pods. */
final class Agent2Service extends Agent2ImplBase {
  private final AgentAnswers answers;

  Agent2Service(AgentAnswers answers) {
    this.answers = answers;
  }

  @Override
  public void getGroupOrder(
      GetGroupOrderRequest request, StreamObserver<GetGroupOrderResponse> observer) {
    UnaryReply.send(observer, () -> groupOrder(request));
  }

  @Override
  public void getPodOrder(
      GetPodOrderRequest request, StreamObserver<GetPodOrderResponse> observer) {
    UnaryReply.send(observer, () -> podOrder(request));
  }

  private GetGroupOrderResponse groupOrder(GetGroupOrderRequest message) {
    var request =
        new OrderRequest(
            message.getComponentName(), message.getScenario(), message.getGroupsList());
    var order = answers.groupOrder(request.scenario(), request.names());
    return GetGroupOrderResponse.newBuilder()
        .addAllOrder(order.names())
        .setConcurrent(order.concurrent())
        .build();
  }

  private GetPodOrderResponse podOrder(GetPodOrderRequest message) {
    var request =
        new OrderRequest(message.getGroupName(), message.getScenario(), message.getPodsList());
    var order = answers.podOrder(request.scenario(), request.names());
    return GetPodOrderResponse.newBuilder()
        .addAllOrder(order.names())
        .setConcurrent(order.concurrent())
        .build();
  }
}
