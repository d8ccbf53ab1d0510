package io.middleware.engine.activities.plan;

import io.fabric8.kubernetes.api.model.Quantity;
import io.middleware.engine.activities.kubernetes.ClaimSize;
import io.middleware.engine.activities.kubernetes.ClaimTemplates;
import io.middleware.engine.activities.render.guard.RenderedObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The claims that a plan makes grow, with what they are to have.
 *
 * @param claims as they are
 * @param sizes by name of the claim
 */
record PlannedExpansion(List<ExistingClaim> claims, Map<String, Quantity> sizes) {

  /**
   * @param rendered what the plan is to write
   * @param claims those that there are
   */
  static PlannedExpansion of(List<RenderedObject> rendered, List<ExistingClaim> claims) {
    var wanted =
        rendered.stream()
            .flatMap(o -> ClaimTemplates.sizes(o.kind().kind(), o.name(), o.tree()).stream())
            .toList();
    var growing = new ArrayList<ExistingClaim>();
    Map<String, Quantity> sizes = new LinkedHashMap<>();
    for (var claim : claims) {
      size(wanted, claim)
          .ifPresent(
              size -> {
                growing.add(claim);
                sizes.put(claim.name(), size);
              });
    }
    return new PlannedExpansion(growing, sizes);
  }

  /**
   * Which claims cannot grow, the first one of each group. What an earlier change has begun is not
   * looked at: that is for its task to say, and must not keep a later edit from being carried out.
   *
   * @param canGrow whether volumes of a StorageClass can
   */
  List<String> problems(DesiredApp wanted, ObservedApp existing, Predicate<String> canGrow) {
    Map<String, Boolean> known = new HashMap<>();
    Map<String, String> byGroup = new LinkedHashMap<>();
    claims.stream()
        .filter(claim -> isNew(claim, wanted, existing))
        .filter(
            claim ->
                !known.computeIfAbsent(
                    className(claim), name -> !name.isEmpty() && canGrow.test(name)))
        .forEach(
            claim -> byGroup.putIfAbsent(claim.component() + "/" + claim.group(), problem(claim)));
    return List.copyOf(byGroup.values());
  }

  private String problem(ExistingClaim claim) {
    return "%s.storage.size: PersistentVolumeClaim %s cannot grow from %s to %s: %s"
        .formatted(
            FieldPaths.group(claim.component(), claim.group()),
            claim.name(),
            claim.storage().size(),
            sizes.get(claim.name()),
            className(claim).isEmpty()
                ? "it has no StorageClass"
                : "StorageClass %s does not have allowVolumeExpansion: true"
                    .formatted(className(claim)));
  }

  private static String className(ExistingClaim claim) {
    return Optional.ofNullable(claim.storage().storageClassName()).orElse("");
  }

  private static boolean isNew(ExistingClaim claim, DesiredApp wanted, ObservedApp existing) {
    var was = existing.component(claim.component()).map(one -> ComponentSpecs.byName(one.spec()));
    var desired =
        Optional.ofNullable(wanted.components().get(claim.component())).map(ComponentSpecs::byName);
    return was.isPresent()
        && desired.isPresent()
        && was.get().containsKey(claim.group())
        && desired.get().containsKey(claim.group())
        && StorageChecks.isGrowth(was.get().get(claim.group()), desired.get().get(claim.group()));
  }

  private static Optional<Quantity> size(List<ClaimSize> wanted, ExistingClaim claim) {
    var has = Quantity.parse(claim.storage().size());
    return wanted.stream()
        .filter(size -> size.isOf(claim.name()) && size.exceeds(has))
        .map(ClaimSize::size)
        .findFirst();
  }
}
