package io.middleware.engine.activities.objects;

import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.PlannedReloads;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The change types that have begun on a Component and not ended, as kept in its annotation. Of Stop
 * and Start only the later one is kept, as it undoes the other.
 *
 * @param types by label; and {@link PlannedReloads#IN_FORCE} when none of them has changed a value
 *     that pods can reload; and {@link DeployedComponent#NEVER_FINISHED}
 */
public record UnfinishedChanges(SortedSet<String> types) {

  public static UnfinishedChanges of(Component component) {
    var annotations = component.getMetadata().getAnnotations();
    var text = annotations == null ? "" : annotations.getOrDefault(Labels.UNFINISHED, "");
    var types = new TreeSet<>(Arrays.asList(text.split(",")));
    types.remove("");
    return new UnfinishedChanges(types);
  }

  public static UnfinishedChanges none() {
    return new UnfinishedChanges(new TreeSet<>());
  }

  public boolean has(ChangeType type) {
    return types.contains(type.label());
  }

  UnfinishedChanges with(ChangeType type) {
    var more = new TreeSet<>(types);
    switch (type) {
      case START -> more.remove(ChangeType.STOP.label());
      case STOP -> more.remove(ChangeType.START.label());
      default -> {}
    }
    more.add(type.label());
    return new UnfinishedChanges(more);
  }

  /** The same for a Component that its first provisioning makes. */
  public UnfinishedChanges ofNewComponent() {
    var more = new TreeSet<>(types);
    more.add(DeployedComponent.NEVER_FINISHED);
    return new UnfinishedChanges(more);
  }

  /** Whether the first provisioning of the Component has not finished. */
  public boolean areOfNewComponent() {
    return types.contains(DeployedComponent.NEVER_FINISHED);
  }

  /**
   * The same with a type that begins.
   *
   * @param keepsHotValues whether it certainly changes no value that pods can reload
   */
  public UnfinishedChanges begun(ChangeType type, boolean keepsHotValues) {
    var more = with(type);
    if (PlannedReloads.isInDoubt(types) || !keepsHotValues) {
      more.types.remove(PlannedReloads.IN_FORCE);
    } else if (PlannedReloads.bringsValues(type)) {
      more.types.add(PlannedReloads.IN_FORCE);
    }
    return more;
  }

  public UnfinishedChanges without(ChangeType type) {
    var fewer = new TreeSet<>(types);
    fewer.remove(type.label());
    if (type == ChangeType.PROVISION) {
      fewer.remove(DeployedComponent.NEVER_FINISHED);
    }
    if (Arrays.stream(ChangeType.values())
        .filter(PlannedReloads::bringsValues)
        .noneMatch(carrier -> fewer.contains(carrier.label()))) {
      fewer.remove(PlannedReloads.IN_FORCE);
    }
    return new UnfinishedChanges(fewer);
  }

  public Map<String, String> annotations() {
    return types.isEmpty()
        ? Map.of()
        : new TreeMap<>(Map.of(Labels.UNFINISHED, String.join(",", types)));
  }
}
