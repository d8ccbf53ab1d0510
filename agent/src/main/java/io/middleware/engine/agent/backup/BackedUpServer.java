package io.middleware.engine.agent.backup;

import io.grpc.Status;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.store.BackupStorage;
import io.middleware.engine.agent.store.StoredCopy;
import java.util.Map;

/**
 * Gives the data of one server to a store, and takes them from it. A failure is that of a store, or
 * an output with another exit code than 0; an interrupted call fails like one without an answer,
 * and leaves the thread interrupted.
 */
public interface BackedUpServer {
  /** Writes all data, or nothing. The values describe the backup. */
  ActionOutput write(BackupStorage store, String key, ActionRequest request, ProgressSink progress);

  /** Reads all of it, and fails when it is not what was written. */
  default ActionOutput verify(StoredCopy copy, ActionRequest request, ProgressSink progress) {
    return described(copy, copy.verify(progress::report));
  }

  /** Replaces the data of the server by those of the backup. */
  default ActionOutput restore(StoredCopy copy, ActionRequest request, ProgressSink progress) {
    throw Status.UNIMPLEMENTED
        .withDescription("this agent has no action 'restore'")
        .asRuntimeException();
  }

  /** What an action has found out about a copy that is right. */
  static ActionOutput described(StoredCopy copy, long size) {
    return new ActionOutput(
        0,
        "",
        Map.of(
            "location", copy.store().location(copy.key()),
            "size", String.valueOf(size),
            "checksum", copy.checksum()));
  }
}
