package io.middleware.engine.workflows.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.middleware.engine.api.task.WorkflowIds;
import java.util.Optional;

/**
 * The wish that an App's generation be carried out.
 *
 * @param uid of the App object; another uid is another App of the same name
 * @param createdAt when that object was made, in milliseconds since the epoch: of two Apps of one
 *     name the later one counts
 * @param deleted whether the App is to go
 * @param paused whether the App asks to hold; a deletion holds for nothing
 * @param urgent whether it does not wait for the end of a running change
 * @param retry which tasks of a change that has ended are tried again; empty: all that is left
 * @param superseded how many generations before this one were never carried out
 * @param plugin name of the Plugin object that the App uses; empty when it cannot be read
 */
public record ChangeRequest(
    String namespace,
    String app,
    String uid,
    long createdAt,
    long generation,
    boolean deleted,
    boolean paused,
    boolean urgent,
    Optional<RetryRequest> retry,
    long superseded,
    String plugin) {
  public ChangeRequest {
    requireNonNull(namespace, "namespace");
    requireNonNull(app, "app");
    requireNonNull(uid, "uid");
    paused = paused && !deleted;
    retry = retry == null ? Optional.empty() : retry;
    plugin = requireNonNullElse(plugin, "");
  }

  /** A plain wish. */
  public ChangeRequest(
      String namespace, String app, String uid, long createdAt, long generation, boolean deleted) {
    this(
        namespace, app, uid, createdAt, generation, deleted, false, false, Optional.empty(), 0, "");
  }

  /** The same wish of an App that uses this Plugin. */
  public ChangeRequest using(String named) {
    return copy(generation, paused, urgent, retry, superseded, named);
  }

  /** The same wish, as the App says how it is to be carried out. */
  public ChangeRequest in(boolean nowPaused, boolean nowUrgent) {
    return copy(generation, nowPaused, nowUrgent, retry, superseded, plugin);
  }

  /** The same generation once more, for these tasks and those it is wanted for already. */
  public ChangeRequest again(RetryRequest tasks) {
    return with(generation, Optional.of(retry.map(tasks::and).orElse(tasks)), superseded);
  }

  /** The same wish for all that is left. */
  public ChangeRequest once() {
    return with(generation, Optional.empty(), superseded);
  }

  /** The id of the workflow that is asked. */
  public String workflowId() {
    return WorkflowIds.app(namespace, app);
  }

  /**
   * Whether this wish replaces the other: a later App of the name, a deletion, a newer generation,
   * or the same once more.
   */
  public boolean overtakes(ChangeRequest other) {
    if (!uid.equals(other.uid)) {
      return createdAt >= other.createdAt;
    }
    return generation > other.generation
        || (deleted && !other.deleted)
        || (generation == other.generation && retry.isPresent());
  }

  /** Whether it is the other's deletion once more: much may have changed, such as by force. */
  public boolean repeats(ChangeRequest other) {
    return uid.equals(other.uid)
        && deleted
        && other.deleted
        && generation == other.generation
        && retry.isEmpty();
  }

  /** Whether the other must not go on: its App goes, or a later one has its name. */
  public boolean ends(ChangeRequest other) {
    return uid.equals(other.uid) ? deleted && !other.deleted : createdAt > other.createdAt;
  }

  /** Whether it does not let the other go to its end. */
  public boolean supersedes(ChangeRequest other) {
    return urgent && (!uid.equals(other.uid) || generation > other.generation);
  }

  /** The same wish for the generation that the plan found; a retry is of one generation only. */
  public ChangeRequest at(long planned) {
    return with(planned, planned == generation ? retry : Optional.empty(), superseded);
  }

  /** The same wish, knowing which change it waits for. */
  public ChangeRequest after(ChangeRequest running) {
    var between = uid.equals(running.uid) ? Math.max(0, generation - running.generation - 1) : 0;
    return with(generation, retry, between);
  }

  private ChangeRequest with(long newGeneration, Optional<RetryRequest> tasks, long overtaken) {
    return copy(newGeneration, paused, urgent, tasks, overtaken, plugin);
  }

  private ChangeRequest copy(
      long newGeneration,
      boolean nowPaused,
      boolean nowUrgent,
      Optional<RetryRequest> tasks,
      long overtaken,
      String named) {
    return new ChangeRequest(
        namespace,
        app,
        uid,
        createdAt,
        newGeneration,
        deleted,
        nowPaused,
        nowUrgent,
        tasks,
        overtaken,
        named);
  }
}
