package io.middleware.engine.workflows.port;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * The StatefulSet of a group, as it was written.
 *
 * @param generation its {@code metadata.generation} after the write
 * @param uid distinguishes it from a StatefulSet of the same name that it has replaced
 * @param reload whether its running pods have to reload their configuration
 * @param keepsPods whether pods that are out of date stay as they are, since it is not this task
 *     that has put them out of date
 * @param kept names of pods that stay as they are also when others are replaced: an earlier change
 *     has not reached them, and a rollback does not finish it
 * @param leaving names of pods that are about to leave the group: whether they are there, ready and
 *     up to date does not matter
 * @param withoutDeployments whether the group has no Deployment beside it, so that none is looked
 *     up; false when that is not known
 */
public record AppliedStatefulSet(
    String name,
    long generation,
    String uid,
    boolean reload,
    boolean keepsPods,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> kept,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> leaving,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean withoutDeployments) {
  public AppliedStatefulSet {
    requireNonNull(name, "name");
    requireNonNull(uid, "uid");
    kept = kept == null ? List.of() : List.copyOf(kept);
    leaving = leaving == null ? List.of() : List.copyOf(leaving);
  }

  /** A StatefulSet whose pods are replaced when they are out of date. */
  public AppliedStatefulSet(String name, long generation, String uid) {
    this(name, generation, uid, false, false);
  }

  /** A StatefulSet of which no single pod stays as it is. */
  public AppliedStatefulSet(
      String name, long generation, String uid, boolean reload, boolean keepsPods) {
    this(name, generation, uid, reload, keepsPods, List.of());
  }

  /** A StatefulSet of a group that may have Deployments. */
  public AppliedStatefulSet(
      String name,
      long generation,
      String uid,
      boolean reload,
      boolean keepsPods,
      List<String> kept) {
    this(name, generation, uid, reload, keepsPods, kept, List.of(), false);
  }

  /** The same with pods that stay as they are, and others that leave; nothing is reloaded. */
  public AppliedStatefulSet keeping(List<String> pods, List<String> others) {
    return new AppliedStatefulSet(
        name, generation, uid, false, false, pods, others, withoutDeployments);
  }
}
