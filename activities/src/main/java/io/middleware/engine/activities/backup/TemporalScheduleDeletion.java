package io.middleware.engine.activities.backup;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.temporal.activity.Activity;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.client.schedules.ScheduleException;

/** Asks the Temporal server that the calling activity came from. */
public final class TemporalScheduleDeletion implements ScheduleDeletion {

  @Override
  public void delete(String id) {
    var client = Activity.getExecutionContext().getWorkflowClient();
    var options =
        ScheduleClientOptions.newBuilder()
            .setNamespace(client.getOptions().getNamespace())
            .setIdentity(client.getOptions().getIdentity())
            .build();
    try {
      ScheduleClient.newInstance(client.getWorkflowServiceStubs(), options).getHandle(id).delete();
    } catch (ScheduleException e) {
      if (!isGone(e.getCause())) {
        throw failed(id, e);
      }
    } catch (StatusRuntimeException e) {
      if (!isGone(e)) {
        throw failed(id, e);
      }
    }
  }

  private static boolean isGone(Throwable e) {
    return e instanceof StatusRuntimeException status
        && status.getStatus().getCode() == io.grpc.Status.Code.NOT_FOUND;
  }

  private static RuntimeException failed(String id, RuntimeException e) {
    return Faults.of(
        FaultKind.UNAVAILABLE, "delete the schedule %s: %s".formatted(id, e.getMessage()));
  }
}
