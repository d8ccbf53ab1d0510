package io.middleware.engine.planning.validation;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.NamedVolume;
import io.middleware.engine.api.Storage;
import io.middleware.engine.api.plugin.VolumeOffer;
import io.middleware.engine.cluster.VolumeClaimSize;
import io.middleware.engine.planning.app.AppAdditions;
import io.middleware.engine.planning.app.AppAdditions.NewGroup;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.ExistingVolumeClaim;
import io.middleware.engine.planning.app.FieldPaths;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.app.VolumeEdit;
import io.middleware.engine.planning.app.VolumeField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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
    AppAdditions.of(desiredApp, observedApp.components())
        .groups()
        .forEach(
            group -> {
              problems.addAll(leftovers(group.component(), group.name()));
              problems.addAll(unused(group));
            });
    for (var component : desiredApp.components().values()) {
      observedApp
          .component(component.component())
          .map(was -> ComponentSpecs.byName(was.spec()))
          .ifPresent(
              was ->
                  ComponentSpecs.byName(component).values().stream()
                      .filter(group -> was.containsKey(group.name()))
                      .flatMap(group -> edited(component, was.get(group.name()), group))
                      .forEach(problems::add));
    }
    return problems;
  }

  /** What may be said before anything is rendered, which needs a size. */
  static List<String> dropped(
      DesiredApp desiredApp,
      ObservedApp observedApp,
      ComponentSpec component,
      GroupTemplate was,
      GroupTemplate desired) {
    var names = new ArrayList<>(desiredApp.catalog().namedVolumes(component.type()));
    VolumeField.named(was).map(NamedVolume::name).forEach(names::add);
    return VolumeEdit.between(was, desired).stream()
        .filter(VolumeEdit::isRemoval)
        .filter(
            edit ->
                volumes(observedApp, component.component(), was.name())
                    .anyMatch(it -> VolumeField.ofClaim(it.name(), names).equals(edit.field())))
        .map(
            edit ->
                field(component.component(), was.name(), edit.field())
                    + " cannot be removed, because its data would be lost: remove the group and add one with another name")
        .toList();
  }

  private Stream<String> edited(ComponentSpec component, GroupTemplate was, GroupTemplate desired) {
    return VolumeEdit.between(was, desired).stream()
        .flatMap(edit -> edited(component, desired.name(), edit).stream().distinct());
  }

  private List<String> edited(ComponentSpec component, String group, VolumeEdit edit) {
    var field = field(component.component(), group, edit.field());
    var problems = new ArrayList<String>();
    var wanted = claims(component.component(), group, edit.field());
    wanted.forEach(
        (claim, size) -> {
          if (claim.hasVolume()) {
            if (!edit.isGrowth()) { // somebody may have grown it further by hand: it stays as it is
              shrunk(field, claim, size).ifPresent(problems::add);
            }
            otherClass(field, claim, size, edit.was()).ifPresent(problems::add);
          }
        });
    if (edit.isAddition()) {
      var isNew = wanted.keySet().stream().noneMatch(ExistingVolumeClaim::hasVolume);
      added(component, group, edit.field(), isNew).ifPresent(problems::add);
    }
    return problems;
  }

  /**
   * A volume that some pods do not have yet. What they have had in its place is on another one, or
   * is gone.
   *
   * @param isNew whether no pod has it
   */
  private Optional<String> added(
      ComponentSpec component, String group, VolumeField added, boolean isNew) {
    var field = field(component.component(), group, added);
    var existing =
        volumes(observedApp, component.component(), group).map(ExistingVolumeClaim::name).toList();
    var offers =
        desiredApp.catalog().type(component.type()).map(PluginCatalog::volumes).orElse(List.of());
    if (isNew ? !offers.isEmpty() && !existing.isEmpty() : isMissing(added, offers, existing)) {
      return Optional.of(
          field
              + " cannot be added beside volumes that exist, because its pods would look in the new one for data that are on the others: remove the group and add one with another name, or restore a Backup into a new App");
    }
    return isNew && hasPods(component.component(), group)
        ? Optional.of(
            field
                + " cannot be added to pods that run without it: stop the App first (spec.state: Stopped), or remove the group and add one with another name")
        : Optional.empty();
  }

  /**
   * Whether a pod has one of the volumes of its type without this one.
   *
   * @param existing names of the claims that have a volume
   */
  private boolean isMissing(VolumeField added, List<VolumeOffer> offers, List<String> existing) {
    return offers.stream()
        .filter(offer -> VolumeField.of(offer).equals(added))
        .flatMap(offer -> besides(offer, offers, existing))
        .filter(claim -> rendered.stream().anyMatch(size -> size.isOf(claim)))
        .anyMatch(claim -> !existing.contains(claim));
  }

  /** The claims for this volume of the pods that have one of the volumes. */
  private static Stream<String> besides(
      VolumeOffer volume, List<VolumeOffer> offers, List<String> existing) {
    return existing.stream()
        .flatMap(
            claim ->
                offers.stream()
                    .map(VolumeOffer::name)
                    .filter(name -> claim.startsWith(name + "-"))
                    .map(name -> volume.name() + claim.substring(name.length())));
  }

  /** The claims of a group that have a volume. */
  private static Stream<ExistingVolumeClaim> volumes(
      ObservedApp observedApp, String component, String group) {
    return observedApp.volumeClaims().stream()
        .filter(claim -> claim.isOf(component, group) && claim.hasVolume());
  }

  private boolean hasPods(String component, String group) {
    return observedApp.pods().stream().anyMatch(pod -> pod.isOf(component, group));
  }

  /** A provisioned group uses the volume that remains of a removed one, at its current size. */
  private List<String> leftovers(String component, String group) {
    var problems = new ArrayList<String>();
    claims(component, group)
        .forEach(
            (claim, size) -> {
              var field = field(component, group, VolumeField.of(desiredApp, claim));
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

  /** A group that comes again without one of its volumes would find its data incomplete. */
  private List<String> unused(NewGroup group) {
    var asked = VolumeField.askedBy(group.template());
    var offers =
        desiredApp.catalog().type(group.of().type()).map(PluginCatalog::volumes).orElse(List.of());
    return offers.stream()
        .filter(offer -> !asked.containsKey(VolumeField.of(offer)))
        .flatMap(
            offer ->
                volumes(observedApp, group.component(), group.name())
                    .filter(claim -> claim.name().startsWith(offer.name() + "-"))
                    .filter(claim -> rendered.stream().noneMatch(it -> it.isOf(claim.name())))
                    .map(claim -> missing(group, VolumeField.of(offer), claim))
                    .limit(1))
        .toList();
  }

  private static String missing(NewGroup group, VolumeField field, ExistingVolumeClaim claim) {
    return "%s is missing, but PersistentVolumeClaim %s, which still exists, has %s, and the other volumes need its data: add it with this size, or delete the claims of the group if nobody needs their data"
        .formatted(
            field(group.component(), group.name(), field), claim.name(), claim.storage().size());
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

  private Map<ExistingVolumeClaim, VolumeClaimSize> claims(
      String component, String group, VolumeField field) {
    var claims = claims(component, group);
    claims.keySet().removeIf(claim -> !VolumeField.of(desiredApp, claim).equals(field));
    return claims;
  }

  private static String field(String component, String group, VolumeField field) {
    return FieldPaths.group(component, group) + "." + field;
  }

  private static Quantity requested(ExistingVolumeClaim claim) {
    return Quantity.parse(claim.storage().size());
  }
}
