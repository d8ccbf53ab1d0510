package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.OwnerReferences;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.Map;

/**
 * Whose a Component or a Group is. Names are joined with {@code -}, so parts of two Apps may have
 * the same name: App {@code k1-x} with component {@code y}, and App {@code k1} with {@code x-y}.
 */
public final class PartOwnership {
  private PartOwnership() {}

  /**
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when another App has the
   *     Component; of kind CONFLICT while that of an earlier App is garbage-collected
   */
  public static void require(App app, Component component) {
    require(OwnerReferences.controlledBy(app), component, app.getMetadata().getName());
  }

  /**
   * @param desired as it is about to be written over the other
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when another App has the Group;
   *     of kind CONFLICT while that of an earlier Component is garbage-collected
   */
  public static void require(Group desired, Group found) {
    require(OwnerReferences.controller(desired).orElseThrow(), found, app(desired));
  }

  private static void require(OwnerReference owner, HasMetadata part, String app) {
    var controller = OwnerReferences.controller(part);
    var isOurs = controller.map(OwnerReference::getUid).filter(owner.getUid()::equals).isPresent();
    if (isOurs || OwnerReferences.isLeftBehind(app, part)) {
      return;
    }
    var name = "%s %s".formatted(part.getKind(), part.getMetadata().getName());
    if (app(part).equals(app) && controller.filter(it -> isNamesake(owner, it)).isPresent()) {
      throw Faults.of(
          FaultKind.CONFLICT,
          "%s of an earlier %s is still being garbage-collected".formatted(name, owner.getKind()));
    }
    throw Faults.of(
        FaultKind.INVALID,
        "%s belongs to App %s and not to App %s: choose another name"
            .formatted(name, app(part).isEmpty() ? "(none)" : app(part), app));
  }

  /** Whether the object of this uid is the controller of the part. */
  public static boolean isController(String uid, HasMetadata part) {
    return OwnerReferences.controller(part).filter(owner -> owner.getUid().equals(uid)).isPresent();
  }

  /** Whether it is this group of this App, and not that of another with the same name. */
  public static boolean isOf(GroupRef ref, Group group) {
    var task = ref.task();
    var app = task.change().app();
    return ClusterView.carries(group, Labels.selector(app, task.component(), ref.group()))
        && OwnerReferences.controller(group)
            .filter(it -> !it.getName().equals(Labels.componentName(app, task.component())))
            .isEmpty();
  }

  private static boolean isNamesake(OwnerReference owner, OwnerReference other) {
    return owner.getKind().equals(other.getKind()) && owner.getName().equals(other.getName());
  }

  private static String app(HasMetadata part) {
    var labels = part.getMetadata().getLabels();
    return (labels == null ? Map.<String, String>of() : labels).getOrDefault(Labels.APP, "");
  }
}
