package io.middleware.engine.watcher.schedule;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.task.WorkflowIds;
import io.middleware.engine.watcher.temporal.TemporalCalls;
import io.middleware.engine.workflows.temporal.ChangeSearchAttributes;
import io.temporal.client.schedules.ScheduleAlreadyRunningException;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.client.schedules.ScheduleException;
import io.temporal.client.schedules.ScheduleHandle;
import io.temporal.client.schedules.ScheduleOptions;
import io.temporal.client.schedules.ScheduleUpdate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reads and writes the schedules in Temporal. */
public final class TemporalBackupSchedules implements BackupSchedules {
  private static final int PAGE = 1000;

  private final TemporalCalls calls;
  private final ScheduleClient client;
  private final String cluster;
  private final ScheduleForm form;

  /**
   * @param cluster its name; may be empty
   */
  public TemporalBackupSchedules(TemporalCalls calls, String cluster) {
    this.calls = calls;
    this.client = client(calls);
    this.cluster = cluster;
    this.form = new ScheduleForm(cluster);
  }

  private static ScheduleClient client(TemporalCalls calls) {
    var options = calls.client().getOptions();
    return ScheduleClient.newInstance(
        calls.client().getWorkflowServiceStubs(),
        ScheduleClientOptions.newBuilder()
            .setNamespace(options.getNamespace())
            .setIdentity(options.getIdentity())
            .setDataConverter(options.getDataConverter())
            .build());
  }

  @Override
  public List<ResourceID> apps() {
    var prefix = WorkflowIds.below(cluster, "backup/");
    return calls.withinTimeout(
        () ->
            client
                .listSchedules(PAGE)
                .map(schedule -> schedule.getScheduleId())
                .filter(id -> id.startsWith(prefix))
                .flatMap(id -> app(id.substring(prefix.length())))
                .toList());
  }

  private static Stream<ResourceID> app(String path) {
    var names = path.split("/");
    return names.length == 2 ? Stream.of(new ResourceID(names[1], names[0])) : Stream.empty();
  }

  @Override
  public boolean apply(BackupSchedule schedule) {
    var handle = client.getHandle(id(schedule.app()));
    var found = found(() -> handle.describe().getSchedule());
    if (found.isEmpty()) {
      create(schedule);
      return true;
    }
    var differs = form.differs(schedule, found.get());
    if (differs) {
      update(schedule, handle);
    }
    return differs;
  }

  /** Fails when there is one. */
  void create(BackupSchedule schedule) {
    var app = schedule.app();
    var attributes =
        ChangeSearchAttributes.ofBackup(cluster, app.getNamespace().orElseThrow(), app.getName());
    var options = ScheduleOptions.newBuilder().setTypedSearchAttributes(attributes).build();
    calls.withinTimeout(
        () -> {
          try {
            return client.createSchedule(id(app), form.schedule(schedule), options);
          } catch (ScheduleAlreadyRunningException e) {
            throw new ScheduleException(e); // made meanwhile: it is compared at the next attempt
          }
        });
  }

  private void update(BackupSchedule schedule, ScheduleHandle handle) {
    calls.withinTimeout(
        () -> {
          handle.update(
              seen ->
                  new ScheduleUpdate(
                      form.schedule(schedule, seen.getDescription().getSchedule().getState())));
          return schedule;
        });
  }

  @Override
  public void delete(ResourceID app) {
    found(
        () -> {
          client.getHandle(id(app)).delete();
          return app;
        });
  }

  private <T> Optional<T> found(Supplier<T> call) {
    return calls.withinTimeout(
        () -> {
          try {
            return Optional.of(call.get());
          } catch (ScheduleException e) {
            if (isNotFound(e)) {
              return Optional.empty();
            }
            throw e;
          }
        });
  }

  private static boolean isNotFound(ScheduleException failure) {
    return failure.getCause() instanceof StatusRuntimeException cause
        && cause.getStatus().getCode() == Status.Code.NOT_FOUND;
  }

  private String id(ResourceID app) {
    return WorkflowIds.backup(cluster, app.getNamespace().orElseThrow(), app.getName());
  }
}
