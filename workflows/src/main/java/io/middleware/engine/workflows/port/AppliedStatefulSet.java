package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

/**
 * The StatefulSet of a group, as it was written.
 *
 * @param generation its {@code metadata.generation} after the write
 * @param uid distinguishes it from a StatefulSet of the same name that it has replaced
 * @param reload whether its running pods have to reload their configuration
 * @param keepsPods whether pods that are out of date stay as they are, since it is not this task
 *     that has put them out of date
 */
public record AppliedStatefulSet(
    String name, long generation, String uid, boolean reload, boolean keepsPods) {
  public AppliedStatefulSet {
    requireNonNull(name, "name");
    requireNonNull(uid, "uid");
  }

  /** A StatefulSet whose pods are replaced when they are out of date. */
  public AppliedStatefulSet(String name, long generation, String uid) {
    this(name, generation, uid, false, false);
  }
}
