package io.middleware.engine.planning;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.VolumeOffer;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.FieldPaths;
import io.middleware.engine.planning.app.FoundClaim;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.app.VolumeUse;
import io.middleware.engine.planning.validation.ClaimRules;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The PersistentVolumeClaims that exist already, and that pods which a plan adds or starts will
 * take: those of numbers that were scaled away, of groups that were removed, and of stopped groups.
 */
record ReusedClaims(DesiredApp desiredApp, List<Reuse> groups) {
  private static final int NAMED = 3;

  /**
   * What the pods take that are added to a group, or that start again.
   *
   * @param by the type of the task that adds or starts them
   * @param asked the names of all claims that these pods will ask for
   */
  record Reuse(
      String component, String group, ChangeType by, List<FoundClaim> claims, List<String> asked) {

    /** Whether the group has had them all along: it was only stopped. */
    private boolean isOwn() {
      return by == ChangeType.START;
    }

    /** Whether both are claims of one pod, for two of these volumes. */
    private static boolean areOfOnePod(String one, String other, List<String> volumes) {
      return number(one).equals(number(other))
          && Stream.of(one, other)
              .allMatch(claim -> volumes.stream().anyMatch(it -> claim.startsWith(it + "-")));
    }

    private static String number(String claim) {
      return claim.substring(claim.lastIndexOf('-'));
    }
  }

  /**
   * @param rendered the objects of the components that the plan changes
   * @param existing all claims of the namespace; asked only where pods with volumes are added or
   *     start
   */
  static ReusedClaims of(
      DesiredApp desiredApp,
      List<DeployedComponent> deployed,
      List<RenderedObject> rendered,
      Supplier<Collection<FoundClaim>> existing) {
    var wanted =
        rendered.stream()
            .flatMap(object -> AddedPods.of(object, desiredApp, deployed))
            .filter(added -> !added.claims().isEmpty())
            .toList();
    if (wanted.isEmpty()) {
      return new ReusedClaims(desiredApp, List.of());
    }
    var byName =
        existing.get().stream().collect(toMap(FoundClaim::name, it -> it, (one, twin) -> one));
    return new ReusedClaims(
        desiredApp,
        wanted.stream()
            .map(added -> added.among(byName))
            .filter(reuse -> !reuse.claims().isEmpty())
            .toList());
  }

  /** One sentence for each claim whose data the new pods could not read, or would read wrongly. */
  List<String> problems() {
    var rules = new ClaimRules(desiredApp);
    return groups.stream()
        .flatMap(
            reuse ->
                reuse.claims().stream()
                    .filter(claim -> !isDeleted(reuse, claim))
                    .flatMap(
                        claim ->
                            Optional.of(claim)
                                .filter(found -> !reuse.isOwn())
                                .flatMap(
                                    found -> rules.problem(reuse.component(), reuse.group(), found))
                                .or(() -> incomplete(reuse, claim))
                                .stream())
                    .map(
                        problem ->
                            "%s: %s"
                                .formatted(
                                    FieldPaths.group(reuse.component(), reuse.group()), problem)))
        .toList();
  }

  /** Why a pod cannot start with some of its volumes as they were, and others empty. */
  private Optional<String> incomplete(Reuse reuse, FoundClaim claim) {
    if (!claim.hasVolume()) {
      return Optional.empty();
    }
    var type = desiredApp.components().get(reuse.component()).type();
    var volumes =
        desiredApp.catalog().type(type).map(PluginCatalog::volumes).orElse(List.of()).stream()
            .map(VolumeOffer::name)
            .toList();
    var existing = reuse.claims().stream().map(FoundClaim::name).toList();
    return reuse.asked().stream()
        .filter(name -> !existing.contains(name))
        .filter(name -> Reuse.areOfOnePod(name, claim.name(), volumes))
        .findFirst()
        .map(
            missing ->
                "a pod would use PersistentVolumeClaim %s, which exists, without %s, which does not, and its data would be incomplete; restore that one, or delete the other if nobody needs its data"
                    .formatted(claim.name(), missing));
  }

  /** The plan, whose tasks say what they will find. */
  ChangePlan into(ChangePlan plan) {
    return plan.edited(
        task ->
            said(task.component(), task.type())
                .map(found -> task.describedAs(task.description() + "; " + found))
                .orElse(task));
  }

  private Optional<String> said(String component, ChangeType type) {
    var found =
        groups.stream()
            .filter(reuse -> reuse.component().equals(component) && reuse.by() == type)
            .filter(reuse -> !reuse.isOwn())
            .flatMap(reuse -> reuse.claims().stream().map(claim -> Map.entry(reuse, claim)))
            .collect(
                partitioningBy(
                    one -> isDeleted(one.getKey(), one.getValue()),
                    mapping(Map.Entry::getValue, toList())));
    var said =
        Stream.of(
                said("uses volumes that exist", found.get(false)),
                said("deletes volumes of members that have left", found.get(true)))
            .flatMap(Optional::stream)
            .collect(joining("; "));
    return Optional.of(said).filter(it -> !it.isEmpty());
  }

  private static Optional<String> said(String what, List<FoundClaim> found) {
    return Optional.of(found)
        .filter(claims -> !claims.isEmpty())
        .map(claims -> what + ": " + few(claims));
  }

  /**
   * A pod that joins the members of its group begins with an empty volume. A new group has none.
   */
  private boolean isDeleted(Reuse reuse, FoundClaim claim) {
    return reuse.by() == ChangeType.RESOURCES
        && desiredApp.plugin().scalesOneByOne(desiredApp.components().get(reuse.component()).type())
        && claim.use().filter(VolumeUse::isOfMemberThatLeft).isPresent();
  }

  private static String few(List<FoundClaim> found) {
    var more = found.size() - NAMED;
    return found.stream().limit(NAMED).map(FoundClaim::toString).collect(joining(", "))
        + (more > 0 ? " and %d more".formatted(more) : "");
  }

  /**
   * The pods that a plan adds to a group, or starts again.
   *
   * @param claims the names of the claims that they will ask for
   */
  private record AddedPods(String component, String group, ChangeType by, List<String> claims) {

    static Stream<AddedPods> of(
        RenderedObject object, DesiredApp desiredApp, List<DeployedComponent> deployed) {
      var labels =
          object.tree().get("metadata") instanceof Map<?, ?> metadata
                  && metadata.get("labels") instanceof Map<?, ?> map
              ? map
              : Map.of();
      var component = String.valueOf(labels.get(Labels.COMPONENT));
      var group = String.valueOf(labels.get(Labels.GROUP));
      var spec = desiredApp.components().get(component);
      if (spec == null || !ComponentSpecs.byName(spec).containsKey(group)) {
        return Stream.empty();
      }
      var current =
          deployed.stream()
              .map(DeployedComponent::spec)
              .filter(one -> one.component().equals(component))
              .filter(one -> ComponentSpecs.byName(one).containsKey(group))
              .findFirst();
      var before = current.map(one -> members(one, group)).orElse(0);
      var replicas = members(spec, group);
      var by = current.isPresent() ? ChangeType.RESOURCES : ChangeType.PROVISION;
      var added = new AddedPods(component, group, by, claims(object, before, replicas));
      return current.filter(one -> one.isStopped() && !spec.isStopped()).isEmpty()
          ? Stream.of(added)
          : Stream.of(
              added,
              new AddedPods(
                  component,
                  group,
                  ChangeType.START,
                  ofSet(object, 0, Math.min(before, replicas))));
    }

    /** A claim that is rendered itself is taken only by a new group. */
    private static List<String> claims(RenderedObject object, int before, int replicas) {
      return before == 0 && object.kind().kind().equals("PersistentVolumeClaim")
          ? List.of(object.name())
          : ofSet(object, before, Math.max(before, replicas));
    }

    private static List<String> ofSet(RenderedObject object, int from, int to) {
      return object.kind().kind().equals("StatefulSet")
          ? VolumeClaimTemplates.names(object.name(), object.tree(), from, to)
          : List.of();
    }

    private static int members(ComponentSpec component, String group) {
      return ComponentSpecs.members(ComponentSpecs.byName(component).get(group));
    }

    Reuse among(Map<String, FoundClaim> existing) {
      return new Reuse(
          component,
          group,
          by,
          claims.stream().map(existing::get).filter(Objects::nonNull).toList(),
          claims);
    }
  }
}
