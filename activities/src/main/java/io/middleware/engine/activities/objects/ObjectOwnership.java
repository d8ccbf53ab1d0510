package io.middleware.engine.activities.objects;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import java.util.List;
import java.util.Map;

/** Who owns an object that has the name of one of a group's objects. */
enum ObjectOwnership {
  /** The group. */
  OURS,
  /** An earlier Group of the same name: the cluster is about to garbage-collect the object. */
  COLLECTED,
  /**
   * Nobody, but the engine has written it for this group: a deleted App has left it behind, or a
   * backup tool has brought it back. The group takes it over with its next write.
   */
  LEFT_BEHIND,
  /** Anybody else, or nobody. */
  FOREIGN;

  private static final int MOST_NAMED = 3;
  private static final List<String> SELECTOR = List.of(Labels.APP, Labels.COMPONENT, Labels.GROUP);

  /**
   * @param group without a uid if it does not exist yet: then it can only own volumes
   */
  static ObjectOwnership of(Group group, HasMetadata object) {
    if (ObjectWriter.isVolume(object.getKind())) {
      return isLabelled(group, object) ? OURS : FOREIGN;
    }
    var owners = object.getMetadata().getOwnerReferences();
    var uid = group.getMetadata().getUid();
    if (uid != null && owners.stream().anyMatch(owner -> uid.equals(owner.getUid()))) {
      return OURS;
    }
    if (owners.isEmpty() && isLabelled(group, object) && OntoObserved.writtenBy(object) != null) {
      return LEFT_BEHIND;
    }
    return owners.stream().anyMatch(owner -> isNamesake(group, owner)) ? COLLECTED : FOREIGN;
  }

  /**
   * Whether a backup tool has created again what the engine has written for this group: then the
   * tool has all its fields, also those whose defaults the API server has filled in.
   */
  static boolean isBroughtBack(Group group, HasMetadata object) {
    return of(group, object) == LEFT_BEHIND
        && object.getMetadata().getManagedFields().stream()
            .noneMatch(entry -> EngineObjects.MANAGER.equals(entry.getManager()));
  }

  /** Says, for people, who writes and owns the object. */
  static String describe(HasMetadata object) {
    var metadata = object.getMetadata();
    var managers =
        metadata.getManagedFields().stream()
            .map(ManagedFieldsEntry::getManager)
            .distinct()
            .limit(MOST_NAMED)
            .collect(joining(", "));
    var owners =
        metadata.getOwnerReferences().stream()
            .map(owner -> owner.getKind() + " " + owner.getName())
            .limit(MOST_NAMED)
            .collect(joining(", "));
    return "written by %s and owned by %s"
        .formatted(
            managers.isEmpty() ? "an unknown manager" : managers,
            owners.isEmpty() ? "nobody" : owners);
  }

  private static boolean isNamesake(Group group, OwnerReference owner) {
    return group.getKind().equals(owner.getKind())
        && group.getMetadata().getName().equals(owner.getName());
  }

  /** A volume outlives its Group, so its labels count instead of its owner. */
  private static boolean isLabelled(Group group, HasMetadata object) {
    var ours = labels(group);
    var theirs = labels(object);
    return SELECTOR.stream()
        .allMatch(key -> ours.containsKey(key) && ours.get(key).equals(theirs.get(key)));
  }

  private static Map<String, String> labels(HasMetadata object) {
    var labels = object.getMetadata().getLabels();
    return labels == null ? Map.of() : labels;
  }
}
