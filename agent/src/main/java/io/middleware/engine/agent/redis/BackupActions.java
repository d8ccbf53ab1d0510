package io.middleware.engine.agent.redis;

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
 * The actions on the backups of one Redis.
 *
 * <ul>
 *   <li>{@code backup}, of {@code key}: writes all data to the store. Answers {@code key}, {@code
 *       location}, {@code size}, {@code checksum}, {@code version} of Redis, {@code replicationId}
 *       and {@code offset}.
 *   <li>{@code verify-backup}, of {@code key} and {@code checksum}: reads the copy in the store,
 *       and refuses one that is missing or differs. Answers {@code location}, {@code size} and
 *       {@code checksum}.
 *   <li>{@code delete-backup}, of {@code key}: a backup that is not there is deleted already.
 * </ul>
 */
record BackupActions(
    RedisServer redis, Optional<? extends StoreSource> source, ProgressSink progress) {

  ActionOutput run(ActionRequest request) throws InterruptedException {
    return switch (request.name()) {
      case "backup" -> limited(request, store -> backup(store, request));
      case "verify-backup" -> limited(request, store -> verify(store, request));
      case "delete-backup" -> limited(request, store -> delete(store, request));
      default ->
          throw Status.UNIMPLEMENTED
              .withDescription("this agent has no action '%s'".formatted(request.name()))
              .asRuntimeException();
    };
  }

  private Map<String, String> backup(BackupStorage store, ActionRequest request) {
    return new RedisBackup(redis, store, progress).write(parameter(request, "key"));
  }

  private Map<String, String> verify(BackupStorage store, ActionRequest request) {
    var key = parameter(request, "key");
    var copy = new StoredCopy(store, key, parameter(request, "checksum"));
    var size = copy.verify(progress::report);
    return Map.of(
        "location", store.location(key),
        "size", String.valueOf(size),
        "checksum", copy.checksum());
  }

  private static Map<String, String> delete(BackupStorage store, ActionRequest request) {
    store.delete(parameter(request, "key"));
    return Map.of();
  }

  private ActionOutput limited(ActionRequest request, StoreAction action)
      throws InterruptedException {
    try (var store = open()) {
      return new TimeLimit(request.timeout()).run(() -> new ActionOutput(0, "", action.on(store)));
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
    Map<String, String> on(BackupStorage store);
  }
}
