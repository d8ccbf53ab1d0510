package io.middleware.engine.agent.server;

import io.grpc.stub.StreamObserver;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.GetRoleResponse;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc.ToolInvokerImplBase;

final class ToolInvokerService extends ToolInvokerImplBase {
  private final Answers answers;

  ToolInvokerService(Answers answers) {
    this.answers = answers;
  }

  @Override
  public void getRole(GetRoleRequest request, StreamObserver<GetRoleResponse> observer) {
    Reply.send(observer, () -> GetRoleResponse.newBuilder().setRole(answers.role()).build());
  }
}
