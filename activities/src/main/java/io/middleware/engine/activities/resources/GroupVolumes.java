package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.ObjectWriter;
import io.middleware.engine.activities.objects.OntoObserved;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.cluster.VolumeState;
import io.middleware.engine.cluster.status.EngineEvent;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.FoundClaim;
import io.middleware.engine.planning.app.VolumeUse;
import io.middleware.engine.process.pods.PodNames;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The PersistentVolumeClaims of groups as inventory: those that a StatefulSet of the group makes,
 * by its name and the number of the pod. Labels alone make no claim the group's.
 */
final class GroupVolumes {
  private static final Logger LOG = LoggerFactory.getLogger(GroupVolumes.class);

  private final ObjectWriter objects;
  private final ImpersonatedClients writers;
  private final ClusterView view;
  private final DesiredGroups groups;
  private final EventRecorder events;
  private final Clock clock;

  GroupVolumes(
      ObjectWriter objects,
      ImpersonatedClients writers,
      ClusterView view,
      DesiredGroups groups,
      EventRecorder events,
      Clock clock) {
    this.objects = objects;
    this.writers = writers;
    this.view = view;
    this.groups = groups;
    this.events = events;
    this.clock = clock;
  }

  /** Writes on each claim of the task's component what uses it now, or since when nothing does. */
  void record(App app, TaskRef task, Component component) {
    var spec = component.getSpec();
    for (var group : ComponentSpecs.byName(spec).keySet()) {
      record(app, task, spec, group);
    }
  }

  private void record(App app, TaskRef task, ComponentSpec component, String name) {
    var key = AppKey.of(task.change());
    var set = view.statefulSet(key, task.component(), name);
    if (set.isEmpty() || set.get().getSpec().getVolumeClaimTemplates().isEmpty()) {
      return;
    }
    var group = ComponentSpecs.groupSpec(component, name);
    var plugin = groups.plugin(task, group);
    var use = VolumeUse.of(group, plugin);
    claims(key, plugin.scalesOneByOne(group.type())).stream()
        .filter(claim -> isMadeBy(set.get(), claim))
        .forEach(
            claim -> write(app, claim, isUsed(set.get(), group, claim) ? use : unused(claim, use)));
  }

  /**
   * @param live asks the API server: that a member has left is never overwritten
   */
  private List<PersistentVolumeClaim> claims(AppKey key, boolean live) {
    return live
        ? objects.volumeClaims().find(key.namespace(), Map.of(Labels.APP, key.app()))
        : view.volumes(key).stream().map(VolumeState::claim).toList();
  }

  /**
   * Notes on the claims of a pod that has left its group as a member that it never comes back.
   *
   * @throws ApplicationFailure when that cannot be written: without it, nobody joins in its place
   */
  void leave(App app, GroupRef ref, String pod) {
    var key = AppKey.of(ref.change());
    var spec = groups.of(app, ref).group().getSpec();
    var use = VolumeUse.of(spec, groups.plugin(ref.task(), spec));
    var names =
        view.statefulSet(key, ref.task().component(), ref.group()).stream()
            .flatMap(set -> set.getSpec().getVolumeClaimTemplates().stream())
            .map(template -> template.getMetadata().getName() + "-" + pod)
            .toList();
    claims(key, true).stream()
        .filter(claim -> names.contains(claim.getMetadata().getName()))
        .filter(claim -> !claim.isMarkedForDeletion())
        .forEach(claim -> annotate(app, claim, unused(claim, use).ofMemberThatLeft().text()));
  }

  /** One that has lost its pod was used by whatever it says. */
  private VolumeUse unused(PersistentVolumeClaim claim, VolumeUse use) {
    return VolumeUse.of(claim).orElse(use).unused(now());
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** A stopped group uses its volumes still. */
  private static boolean isUsed(StatefulSet set, GroupSpec group, PersistentVolumeClaim claim) {
    var replicas = Objects.requireNonNullElse(group.replicas(), 1);
    return Rollout.podNames(set, replicas).stream()
        .anyMatch(pod -> claim.getMetadata().getName().endsWith("-" + pod));
  }

  private static boolean isMadeBy(StatefulSet set, HasMetadata claim) {
    return set.getSpec().getVolumeClaimTemplates().stream()
        .map(template -> template.getMetadata().getName() + "-" + set.getMetadata().getName())
        .anyMatch(base -> PodNames.isNumbered(base, claim.getMetadata().getName()));
  }

  /** No change fails for lack of a note: a claim without one is taken as it is. */
  private void write(App app, PersistentVolumeClaim claim, VolumeUse use) {
    if (VolumeUse.of(claim).filter(use::equals).isPresent() || claim.isMarkedForDeletion()) {
      return;
    }
    try {
      annotate(app, claim, use.text());
    } catch (ApplicationFailure e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("claim", claim.getMetadata().getName())
          .log("what uses the volume claim is not written on it");
    }
  }

  /** Exactly this claim: another one of its name has another uid. */
  private void annotate(App app, PersistentVolumeClaim claim, String value) {
    var metadata = claim.getMetadata();
    var patch =
        new PersistentVolumeClaimBuilder()
            .withNewMetadata()
            .withUid(metadata.getUid())
            .addToAnnotations(Labels.LAST_USE, value)
            .endMetadata()
            .build();
    var asEngine =
        new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager(EngineObjects.MANAGER)
            .build();
    Faults.attempt(
        "annotate PersistentVolumeClaim " + metadata.getName(),
        () ->
            writers
                .of(app)
                .persistentVolumeClaims()
                .inNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .patch(asEngine, Serialization.asJson(patch)));
  }

  /**
   * The claims that a group's StatefulSets have made, and those that are objects of its own.
   *
   * @param inventory of the group
   * @param found its objects, as far as they exist; empty when a repeat finds them gone
   */
  List<PersistentVolumeClaim> of(
      GroupRef ref, List<InventoryItem> inventory, List<GenericKubernetesResource> found) {
    var task = ref.task();
    var change = task.change();
    return objects
        .volumeClaims()
        .find(change.namespace(), Labels.selector(change.app(), task.component(), ref.group()))
        .stream()
        .filter(claim -> inventory.stream().anyMatch(item -> isOf(item, found, claim)))
        .sorted(Comparator.comparing(claim -> claim.getMetadata().getName(), NaturalOrder.OF_NAMES))
        .toList();
  }

  private static boolean isOf(
      InventoryItem item, List<GenericKubernetesResource> found, PersistentVolumeClaim claim) {
    var name = claim.getMetadata().getName();
    return switch (item.kind()) {
      case "PersistentVolumeClaim" -> item.name().equals(name);
      case "StatefulSet" ->
          found.stream()
              .filter(object -> object.getKind().equals(item.kind()))
              .filter(object -> object.getMetadata().getName().equals(item.name()))
              .findFirst()
              .map(set -> VolumeClaimTemplates.haveMade(set, name))
              .orElseGet(() -> name.matches(".+-" + Pattern.quote(item.name()) + "-\\d+"));
      default -> false;
    };
  }

  /** Those that have no data yet. */
  EmptyClaims empty() {
    return new EmptyClaims(objects.volumeClaims());
  }

  /** Deletes the claims of a group that is removed, with their data. */
  void delete(App app, List<PersistentVolumeClaim> claims) {
    objects.volumeClaims().delete(app, claims);
  }

  /** Notes on the claims of a group that is removed that nothing uses them now. */
  void keep(App app, GroupRef ref, List<PersistentVolumeClaim> claims) {
    for (var claim : claims) {
      VolumeUse.of(claim).ifPresent(use -> write(app, claim, use.unused(now())));
    }
    if (!claims.isEmpty() && !app.isMarkedForDeletion()) {
      var names = claims.stream().map(it -> it.getMetadata().getName()).toList();
      report(
          app,
          ref,
          "VolumeClaimsKept",
          "group %s/%s is removed, its PersistentVolumeClaims stay: %s; delete them with kubectl if nobody needs the data"
              .formatted(ref.task().component(), ref.group(), few(names)));
    }
  }

  /**
   * Which of these claims exist, for people.
   *
   * @param names of the claims that new pods will ask for
   */
  List<String> existing(GroupRef ref, List<String> names) {
    return names.isEmpty()
        ? List.of()
        : view.volumes(AppKey.of(ref.task().change())).stream()
            .filter(volume -> names.contains(volume.name()))
            .map(volume -> FoundClaim.of(volume.claim()).toString())
            .sorted(NaturalOrder.OF_NAMES)
            .toList();
  }

  /**
   * Reports which claims that exist new pods take.
   *
   * @param found before the pods were added
   */
  void reportReused(App app, GroupRef ref, List<String> found) {
    if (!found.isEmpty()) {
      report(
          app,
          ref,
          "VolumeClaimsReused",
          "new pods of group %s/%s use volumes that exist: %s"
              .formatted(ref.task().component(), ref.group(), few(found)));
    }
  }

  private static String few(List<String> names) {
    return Rollout.firstFew(names).orElse("");
  }

  private void report(App app, GroupRef ref, String reason, String message) {
    var event =
        new EngineEvent(
            "%s/%s/%s".formatted(reason, OntoObserved.writtenBy(ref.task()), ref.group()),
            EngineEvent.Kind.NORMAL,
            reason,
            "Volumes",
            message);
    Thread.startVirtualThread(() -> events.record(app, event));
  }
}
