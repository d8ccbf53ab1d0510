package io.middleware.engine.planning.validation;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Storage;
import io.middleware.engine.cluster.VolumeClaimSize;
import io.middleware.engine.planning.app.AppAdditions;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.ExistingVolumeClaim;
import io.middleware.engine.planning.app.FieldPaths;
import io.middleware.engine.planning.app.ObservedApp;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Checks whether the volumes that exist allow what is rendered. The deployed spec says only what
 * was asked for, which may never have been carried out: it counts for nothing here. A claim without
 * a volume has no data, and is made anew.
 *
 * @param rendered the volumes of the groups that are written
 */
public record StorageRules(
    DesiredApp desiredApp, ObservedApp observedApp, List<VolumeClaimSize> rendered) {

  /** One sentence for each field that a volume does not allow. */
  public List<String> problems() {
    var problems = new ArrayList<String>();
    var additions = AppAdditions.of(desiredApp, observedApp.components());
    additions
        .groups()
        .forEach(group -> problems.addAll(leftovers(group.component(), group.name())));
    for (var component : desiredApp.components().values()) {
      observedApp
          .component(component.component())
          .map(was -> ComponentSpecs.byName(was.spec()))
          .ifPresent(
              was ->
                  ComponentSpecs.byName(component)
                      .forEach(
                          (name, group) ->
                              Optional.ofNullable(was.get(name))
                                  .filter(before -> differ(before, group))
                                  .ifPresent(
                                      before ->
                                          problems.addAll(
                                              edited(component.component(), before, group)))));
    }
    return problems;
  }

  /** What may be said before anything is rendered, which needs a size. */
  static List<String> dropped(
      ObservedApp observedApp, String component, GroupTemplate was, GroupTemplate desired) {
    var hasVolumes =
        observedApp.volumeClaims().stream()
            .anyMatch(claim -> claim.isOf(component, desired.name()) && claim.hasVolume());
    return was.storage() != null && desired.storage() == null && hasVolumes
        ? List.of(
            field(component, desired.name())
                + " cannot be removed, because its data would be lost: remove the group and add one with another name")
        : List.of();
  }

  /** Whether a group is to have other volumes than its spec has asked for. */
  public static boolean differ(GroupTemplate was, GroupTemplate desired) {
    return was.storage() == null || desired.storage() == null
        ? was.storage() != desired.storage()
        : bytes(was.storage()).compareTo(bytes(desired.storage())) != 0
            || !Objects.equals(
                was.storage().storageClassName(), desired.storage().storageClassName());
  }

  private List<String> edited(String component, GroupTemplate was, GroupTemplate desired) {
    var field = field(component, desired.name());
    var problems = new ArrayList<String>();
    var wanted = claims(component, desired.name());
    wanted.forEach(
        (claim, size) -> {
          if (claim.hasVolume()) {
            if (!isGrowth(was, desired)) {
              shrunk(field, claim, size).ifPresent(problems::add);
            }
            otherClass(field, claim, size, Optional.ofNullable(was.storage()))
                .ifPresent(problems::add);
          }
        });
    if (was.storage() == null && wanted.isEmpty() && hasPods(component, desired.name())) {
      problems.add(
          field
              + " cannot be added to pods that run without it: stop the App first (spec.state: Stopped), or remove the group and add one with another name");
    }
    return problems.stream().distinct().toList();
  }

  /** Then a volume that somebody has grown further by hand is no obstacle: it stays as it is. */
  private static boolean isGrowth(GroupTemplate was, GroupTemplate desired) {
    return was.storage() != null && bytes(desired.storage()).compareTo(bytes(was.storage())) > 0;
  }

  private boolean hasPods(String component, String group) {
    return observedApp.pods().stream().anyMatch(pod -> pod.isOf(component, group));
  }

  /** A provisioned group uses the volume that remains of a removed one, at its current size. */
  private List<String> leftovers(String component, String group) {
    var field = field(component, group);
    var problems = new ArrayList<String>();
    claims(component, group)
        .forEach(
            (claim, size) -> {
              if (size.exceeds(requested(claim))) {
                problems.add(larger(field, claim, size));
              }
              if (VolumeClaimSize.exceeds(requested(claim), size.size())) {
                problems.add(smaller(field, claim, size));
              }
              otherClass(field, claim, size, Optional.empty()).ifPresent(problems::add);
            });
    return problems;
  }

  /** Kubernetes takes a failed expansion back to any size above the one that the volume has. */
  private static Optional<String> shrunk(
      String field, ExistingVolumeClaim claim, VolumeClaimSize size) {
    if (!VolumeClaimSize.exceeds(requested(claim), size.size())) {
      return Optional.empty();
    }
    var has = claim.capacity().orElseThrow();
    if (!VolumeClaimSize.exceeds(requested(claim), has)) {
      return Optional.of(smaller(field, claim, size));
    }
    return size.exceeds(has)
        ? Optional.empty()
        : Optional.of(
            "%s.size: %s, but PersistentVolumeClaim %s asks for %s and has %s: Kubernetes takes a failed expansion back only to more than the volume has"
                .formatted(field, size.size(), claim.name(), claim.storage().size(), has));
  }

  private static String smaller(String field, ExistingVolumeClaim claim, VolumeClaimSize size) {
    return "%s.size: %s, but PersistentVolumeClaim %s, which exists, has %s: a volume cannot shrink"
        .formatted(field, size.size(), claim.name(), claim.storage().size());
  }

  private static String larger(String field, ExistingVolumeClaim claim, VolumeClaimSize size) {
    return "%s.size: %s, but PersistentVolumeClaim %s, which still exists, has %s: add the group with %s and expand it afterwards"
        .formatted(
            field, size.size(), claim.name(), claim.storage().size(), claim.storage().size());
  }

  /**
   * No class is the default of the cluster, which may be any.
   *
   * @param was what the spec has said; another class than that is meant to move the volume
   */
  private static Optional<String> otherClass(
      String field, ExistingVolumeClaim claim, VolumeClaimSize size, Optional<Storage> was) {
    var has = claim.storage().storageClassName();
    var moves =
        size.storageClass().isPresent()
            ? !size.storageClass().get().equals(has)
            : was.map(Storage::storageClassName).isPresent();
    return moves
        ? Optional.of(
            "%s.storageClassName: PersistentVolumeClaim %s, which exists, has %s: a volume cannot move to another class"
                .formatted(field, claim.name(), has == null ? "none" : has))
        : Optional.empty();
  }

  private Map<ExistingVolumeClaim, VolumeClaimSize> claims(String component, String group) {
    var claims = new LinkedHashMap<ExistingVolumeClaim, VolumeClaimSize>();
    observedApp.volumeClaims().stream()
        .filter(claim -> claim.isOf(component, group))
        .forEach(
            claim ->
                rendered.stream()
                    .filter(size -> size.isOf(claim.name()))
                    .findFirst()
                    .ifPresent(size -> claims.put(claim, size)));
    return claims;
  }

  private static String field(String component, String group) {
    return FieldPaths.group(component, group) + ".storage";
  }

  private static Quantity requested(ExistingVolumeClaim claim) {
    return Quantity.parse(claim.storage().size());
  }

  private static BigDecimal bytes(Storage storage) {
    return Quantity.parse(storage.size()).getNumericalAmount();
  }
}
