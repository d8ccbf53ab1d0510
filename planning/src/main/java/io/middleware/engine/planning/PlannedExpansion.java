package io.middleware.engine.planning;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.VolumeClaimSize;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.ExistingVolumeClaim;
import io.middleware.engine.planning.app.FieldPaths;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.app.VolumeEdit;
import io.middleware.engine.planning.app.VolumeField;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
   * @param volumeClaims all existing volume claims of the App; one without a volume is made anew
   */
  static PlannedExpansion of(
      List<RenderedObject> rendered, List<ExistingVolumeClaim> volumeClaims) {
    var desiredSizes = sizes(rendered);
    var growing = new ArrayList<ExistingVolumeClaim>();
    Map<String, Quantity> sizes = new LinkedHashMap<>();
    for (var volumeClaim : volumeClaims) {
      size(desiredSizes, volumeClaim)
          .filter(size -> volumeClaim.hasVolume())
          .ifPresent(
              size -> {
                growing.add(volumeClaim);
                sizes.put(volumeClaim.name(), size);
              });
    }
    return new PlannedExpansion(growing, sizes);
  }

  static List<VolumeClaimSize> sizes(List<RenderedObject> rendered) {
    return rendered.stream()
        .flatMap(o -> VolumeClaimTemplates.sizes(o.kind().kind(), o.name(), o.tree()).stream())
        .toList();
  }

  /** Those of these components only. */
  PlannedExpansion in(Set<String> components) {
    var claims = volumeClaims.stream().filter(it -> components.contains(it.component())).toList();
    var kept = new LinkedHashMap<>(sizes);
    kept.keySet().retainAll(claims.stream().map(ExistingVolumeClaim::name).toList());
    return new PlannedExpansion(claims, kept);
  }

  /**
   * The changes that carry out what a Plugin's templates ask for by themselves, as another default:
   * one for each component whose volumes can all grow.
   *
   * @param components that the plan writes without expanding their volumes
   */
  List<PlannedChange> byTemplates(
      DesiredApp desiredApp, Set<String> components, Predicate<String> canExpand) {
    return in(components).volumeClaims().stream()
        .collect(groupingBy(ExistingVolumeClaim::component, LinkedHashMap::new, toList()))
        .values()
        .stream()
        .filter(
            claims ->
                claims.stream()
                    .map(PlannedExpansion::className)
                    .distinct()
                    .allMatch(name -> !name.isEmpty() && canExpand.test(name)))
        .map(
            claims ->
                new PlannedChange(
                    claims.getFirst().component(),
                    ChangeType.STORAGE,
                    byTemplates(desiredApp, claims)))
        .toList();
  }

  /** Names each volume once, by the first of its claims. */
  private String byTemplates(DesiredApp desiredApp, List<ExistingVolumeClaim> ofComponent) {
    Map<VolumeField, ExistingVolumeClaim> byField = new LinkedHashMap<>();
    ofComponent.forEach(claim -> byField.putIfAbsent(VolumeField.of(desiredApp, claim), claim));
    return byField.entrySet().stream()
        .map(
            one ->
                "%s of %s/%s: %s → %s, as the Plugin's templates ask"
                    .formatted(
                        one.getKey().label(),
                        one.getValue().component(),
                        one.getValue().group(),
                        one.getValue().storage().size(),
                        sizes.get(one.getValue().name())))
        .collect(joining("; "));
  }

  /**
   * Reports the volume claims that cannot be expanded, at most one for each field of a group.
   * Expansions that an earlier change began are not checked: their task reports them, and they must
   * not block later edits.
   *
   * @param canExpand whether a StorageClass allows expansion
   */
  List<String> problems(
      DesiredApp desiredApp, ObservedApp observedApp, Predicate<String> canExpand) {
    Map<String, Boolean> known = new HashMap<>();
    Map<String, String> byField = new LinkedHashMap<>();
    volumeClaims.stream()
        .filter(volumeClaim -> isNew(volumeClaim, desiredApp, observedApp))
        .filter(
            volumeClaim ->
                !known.computeIfAbsent(
                    className(volumeClaim), name -> !name.isEmpty() && canExpand.test(name)))
        .forEach(
            volumeClaim -> {
              var field = field(volumeClaim, desiredApp);
              byField.putIfAbsent(field, problem(field, volumeClaim));
            });
    return List.copyOf(byField.values());
  }

  private static String field(ExistingVolumeClaim volumeClaim, DesiredApp desiredApp) {
    return "%s.%s.size"
        .formatted(
            FieldPaths.group(volumeClaim.component(), volumeClaim.group()),
            VolumeField.of(desiredApp, volumeClaim));
  }

  private String problem(String field, ExistingVolumeClaim volumeClaim) {
    return "%s: PersistentVolumeClaim %s cannot grow from %s to %s: %s"
        .formatted(
            field,
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
        && VolumeEdit.between(
                was.get().get(volumeClaim.group()), desired.get().get(volumeClaim.group()))
            .stream()
            .map(VolumeEdit::field)
            .anyMatch(VolumeField.of(desiredApp, volumeClaim)::equals);
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
