package io.middleware.engine.cluster.agents;

import io.middleware.engine.cluster.agents.AgentActions.ActionCall;
import io.middleware.engine.cluster.agents.PodReloads.ReloadCall;
import io.middleware.engine.proto.tool.v1.DrainRequest;
import io.middleware.engine.proto.tool.v1.PersistRequest;
import io.middleware.engine.proto.tool.v1.ReloadRequest;
import io.middleware.engine.proto.tool.v1.ResumeRequest;
import io.middleware.engine.proto.tool.v1.SwitchoverRequest;
import java.util.Optional;

/** The requests for actions, as the protocol has them. */
final class ActionRequests {
  private ActionRequests() {}

  static SwitchoverRequest switchover(ActionCall call, Optional<String> successor) {
    return SwitchoverRequest.newBuilder()
        .setOperationId(call.operation())
        .setPodName(call.pod().name())
        .setPodUid(call.pod().uid())
        .setSuccessor(successor.orElse(""))
        .build();
  }

  static ReloadRequest reload(ActionCall call, ReloadCall wanted) {
    return ReloadRequest.newBuilder()
        .setOperationId(call.operation())
        .putAllParameters(wanted.values())
        .putAllDigests(wanted.digests().digests())
        .setSalt(wanted.digests().salt())
        .setPodName(call.pod().name())
        .setPodUid(call.pod().uid())
        .build();
  }

  static DrainRequest drain(ActionCall call) {
    return DrainRequest.newBuilder()
        .setOperationId(call.operation())
        .setPodName(call.pod().name())
        .setPodUid(call.pod().uid())
        .build();
  }

  /** Of a pod whose process is ended next. */
  static PersistRequest persist(ActionCall call) {
    return PersistRequest.newBuilder()
        .setOperationId(call.operation())
        .setPodName(call.pod().name())
        .setPodUid(call.pod().uid())
        .setBeforeEnd(true)
        .build();
  }

  static ResumeRequest resume(ActionCall call) {
    return ResumeRequest.newBuilder()
        .setPodName(call.pod().name())
        .setPodUid(call.pod().uid())
        .build();
  }
}
