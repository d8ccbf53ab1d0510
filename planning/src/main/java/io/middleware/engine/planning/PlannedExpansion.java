package io.middleware.engine.planning;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.cluster.VolumeClaimSize;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.ExistingVolumeClaim;
import io.middleware.engine.planning.app.FieldPaths;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.validation.StorageRules;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The PersistentVolumeClaims that a plan expands, and their new sizes.
 *
 * @param volumeClaims in their current state
 * @param sizes new sizes by the name of the volume claim
 */
record PlannedExpansion(List<ExistingVolumeClaim> volumeClaims, Map<String, Quantity> sizes) {

  /**
   * @param rendered the objects that the plan writes
   * @param volumeClaims all existing volume claims of the App
   */
  static PlannedExpansion of(
      List<RenderedObject> rendered, List<ExistingVolumeClaim> volumeClaims) {
    var desiredSizes =
        rendered.stream()
            .flatMap(o -> VolumeClaimTemplates.sizes(o.kind().kind(), o.name(), o.tree()).stream())
            .toList();
    var growing = new ArrayList<ExistingVolumeClaim>();
    Map<String, Quantity> sizes = new LinkedHashMap<>();
    for (var volumeClaim : volumeClaims) {
      size(desiredSizes, volumeClaim)
          .ifPresent(
              size -> {
                growing.add(volumeClaim);
                sizes.put(volumeClaim.name(), size);
              });
    }
    return new PlannedExpansion(growing, sizes);
  }

  /**
   * Reports the volume claims that cannot be expanded, at most one for each group. Expansions that
   * an earlier change began are not checked: their task reports them, and they must not block later
   * edits.
   *
   * @param canExpand whether a StorageClass allows expansion
   */
  List<String> problems(
      DesiredApp desiredApp, ObservedApp observedApp, Predicate<String> canExpand) {
    Map<String, Boolean> known = new HashMap<>();
    Map<String, String> byGroup = new LinkedHashMap<>();
    volumeClaims.stream()
        .filter(volumeClaim -> isNew(volumeClaim, desiredApp, observedApp))
        .filter(
            volumeClaim ->
                !known.computeIfAbsent(
                    className(volumeClaim), name -> !name.isEmpty() && canExpand.test(name)))
        .forEach(
            volumeClaim ->
                byGroup.putIfAbsent(
                    volumeClaim.component() + "/" + volumeClaim.group(), problem(volumeClaim)));
    return List.copyOf(byGroup.values());
  }

  private String problem(ExistingVolumeClaim volumeClaim) {
    return "%s.storage.size: PersistentVolumeClaim %s cannot grow from %s to %s: %s"
        .formatted(
            FieldPaths.group(volumeClaim.component(), volumeClaim.group()),
            volumeClaim.name(),
            volumeClaim.storage().size(),
            sizes.get(volumeClaim.name()),
            className(volumeClaim).isEmpty()
                ? "it has no StorageClass"
                : "StorageClass %s does not have allowVolumeExpansion: true"
                    .formatted(className(volumeClaim)));
  }

  private static String className(ExistingVolumeClaim volumeClaim) {
    return Optional.ofNullable(volumeClaim.storage().storageClassName()).orElse("");
  }

  private static boolean isNew(
      ExistingVolumeClaim volumeClaim, DesiredApp desiredApp, ObservedApp observedApp) {
    var was =
        observedApp
            .component(volumeClaim.component())
            .map(one -> ComponentSpecs.byName(one.spec()));
    var desired =
        Optional.ofNullable(desiredApp.components().get(volumeClaim.component()))
            .map(ComponentSpecs::byName);
    return was.isPresent()
        && desired.isPresent()
        && was.get().containsKey(volumeClaim.group())
        && desired.get().containsKey(volumeClaim.group())
        && StorageRules.isExpansion(
            was.get().get(volumeClaim.group()), desired.get().get(volumeClaim.group()));
  }

  private static Optional<Quantity> size(
      List<VolumeClaimSize> desiredSizes, ExistingVolumeClaim volumeClaim) {
    var has = Quantity.parse(volumeClaim.storage().size());
    return desiredSizes.stream()
        .filter(size -> size.isOf(volumeClaim.name()) && size.exceeds(has))
        .map(VolumeClaimSize::size)
        .findFirst();
  }
}
