package io.middleware.engine.agent.backup;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.store.BackupStorage;
import io.middleware.engine.agent.store.StoreSource;
import io.middleware.engine.agent.store.StoredCopy;
import java.util.Map;
import java.util.Optional;

/**
 * The actions on the backups of one server.
 *
 * <ul>
 *   <li>{@code backup}, of {@code key}: writes all data to the store. Answers {@code key}, {@code
 *       location}, {@code size}, {@code checksum}, and what else the server says.
 *   <li>{@code verify-backup}, of {@code key} and {@code checksum}: reads the copy in the store,
 *       and refuses one that is missing or differs. Answers {@code location}, {@code size} and
 *       {@code checksum}.
 *   <li>{@code restore}, of {@code key} and {@code checksum}, where the server can do it: takes the
 *       data from the copy in the store.
 *   <li>{@code delete-backup}, of {@code key}: a backup that is not there is deleted already.
 * </ul>
 */
public record BackupActions(
    BackedUpServer server, Optional<? extends StoreSource> source, ProgressSink progress) {

  public ActionOutput run(ActionRequest request) throws InterruptedException {
    return switch (request.name()) {
      case "backup" ->
          limited(
              request, store -> server.write(store, parameter(request, "key"), request, progress));
      case "verify-backup" ->
          limited(request, store -> server.verify(copy(store, request), request, progress));
      case "restore" ->
          limited(request, store -> server.restore(copy(store, request), request, progress));
      case "delete-backup" -> limited(request, store -> delete(store, request));
      default ->
          throw Status.UNIMPLEMENTED
              .withDescription("this agent has no action '%s'".formatted(request.name()))
              .asRuntimeException();
    };
  }

  private static StoredCopy copy(BackupStorage store, ActionRequest request) {
    return new StoredCopy(store, parameter(request, "key"), parameter(request, "checksum"));
  }

  private static ActionOutput delete(BackupStorage store, ActionRequest request) {
    store.delete(parameter(request, "key"));
    return new ActionOutput(0, "", Map.of());
  }

  private ActionOutput limited(ActionRequest request, StoreAction action)
      throws InterruptedException {
    try (var store = open()) {
      return new TimeLimit(request.timeout()).run(() -> action.on(store));
    }
  }

  private BackupStorage open() {
    return source
        .orElseThrow(
            () ->
                Status.FAILED_PRECONDITION
                    .withDescription(
                        "this agent has no backup store: set BACKUP_STORE_FOLDER in the pod template")
                    .asRuntimeException())
        .settings()
        .open();
  }

  private static String parameter(ActionRequest request, String name) {
    return Optional.ofNullable(request.parameters().get(name))
        .filter(value -> !value.isEmpty())
        .orElseThrow(() -> missing(request, name));
  }

  private static StatusRuntimeException missing(ActionRequest request, String name) {
    return Status.FAILED_PRECONDITION
        .withDescription("the action %s needs the parameter '%s'".formatted(request.name(), name))
        .asRuntimeException();
  }

  private interface StoreAction {
    ActionOutput on(BackupStorage store);
  }
}
