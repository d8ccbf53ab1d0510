package io.middleware.engine.planning;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.ApprovalMode;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.cluster.status.AppStatusFactory;
import io.middleware.engine.cluster.status.PlanStatusWriter;
import io.middleware.engine.planning.ServerSideDryRun.DryRunObject;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Publishes a plan for manual approval if the App requires it. */
final class PlanApproval {
  private final KubernetesClient engine;
  private final ImpersonatedClients writers;
  private final PlanStatusWriter planStatus;

  /**
   * @param engine client with the engine's own rights
   */
  PlanApproval(KubernetesClient engine, ImpersonatedClients writers) {
    this.engine = engine;
    this.writers = writers;
    this.planStatus = new PlanStatusWriter(engine);
  }

  /**
   * A plan and its effects.
   *
   * @param dryRunObjects the objects that the plan applies
   * @param expansion the volumes that the plan expands
   * @param reloads names of the Groups whose pods reload their configuration
   * @param unfinished the components with pods that an earlier change has not reached
   * @param values each value that changes, for people
   */
  record Proposal(
      ChangePlan plan,
      List<DryRunObject> dryRunObjects,
      PlannedExpansion expansion,
      Set<String> reloads,
      Set<String> unfinished,
      List<String> values) {}

  /**
   * @return the plan; it waits for approval if the App requires that and the plan has tasks
   */
  ChangePlan ask(ChangeRef change, App app, DesiredApp desiredApp, Proposal proposal) {
    var plan = proposal.plan();
    var settings = app.getSpec().change();
    if (settings == null || settings.approval() != ApprovalMode.MANUAL || plan.tasks().isEmpty()) {
      return plan;
    }
    var preview = new Preview(proposal.reloads(), proposal.unfinished());
    var pods = pods(app);
    proposal.expansion().volumeClaims().forEach(volumeClaim -> preview.grow(volumeClaim.name()));
    proposal
        .dryRunObjects()
        .forEach(
            dryRun -> {
              var before = live(app, item(dryRun));
              var made =
                  pods.stream().filter(pod -> before.filter(pod::isControlledBy).isPresent());
              preview.apply(dryRun, before, made.toList());
            });
    var dropped = dropped(app, desiredApp).flatMap(item -> live(app, item).stream()).toList();
    dropped.forEach(preview::delete);
    if (app.getSpec().deletesVolumesOfRemovedParts() && !dropped.isEmpty()) {
      claims(app).stream()
          .filter(
              claim -> dropped.stream().anyMatch(set -> VolumeClaimTemplates.haveMade(set, claim)))
          .sorted(NaturalOrder.OF_NAMES)
          .forEach(preview::drop);
    }
    var shown = preview.status(plan.generation(), AppStatusFactory.tasks(plan), proposal.values());
    planStatus.show(change, shown);
    return plan.awaiting(shown.hash());
  }

  private List<PodState> pods(App app) {
    var metadata = app.getMetadata();
    return Faults.list(
            "the pods of App " + metadata.getName(),
            engine
                .pods()
                .inNamespace(metadata.getNamespace())
                .withLabel(Labels.APP, metadata.getName()))
        .stream()
        .map(PodState::new)
        .toList();
  }

  /** The names of the claims that carry the App's label. */
  private List<String> claims(App app) {
    var metadata = app.getMetadata();
    return Faults.list(
            "the PersistentVolumeClaims of App " + metadata.getName(),
            engine
                .persistentVolumeClaims()
                .inNamespace(metadata.getNamespace())
                .withLabel(Labels.APP, metadata.getName()))
        .stream()
        .map(claim -> claim.getMetadata().getName())
        .toList();
  }

  private Stream<InventoryItem> dropped(App app, DesiredApp desiredApp) {
    var namespace = app.getMetadata().getNamespace();
    var groups =
        Faults.list(
            "Groups of App " + app.getMetadata().getName(),
            engine
                .resources(Group.class)
                .inNamespace(namespace)
                .withLabel(Labels.APP, app.getMetadata().getName()));
    return groups.stream()
        .filter(group -> !isDesired(group, desiredApp))
        .filter(group -> group.getStatus() != null && group.getStatus().inventory() != null)
        .flatMap(group -> group.getStatus().inventory().stream());
  }

  private static boolean isDesired(Group group, DesiredApp desiredApp) {
    var labels = group.getMetadata().getLabels();
    var component = desiredApp.components().get(labels.get(Labels.COMPONENT));
    return component != null
        && ComponentSpecs.byName(component).containsKey(labels.get(Labels.GROUP));
  }

  private Optional<GenericKubernetesResource> live(App app, InventoryItem item) {
    var namespace = app.getMetadata().getNamespace();
    return Optional.ofNullable(
        Faults.attempt(
            "read %s %s/%s".formatted(item.kind(), namespace, item.name()),
            () ->
                writers
                    .of(app)
                    .genericKubernetesResources(item.apiVersion(), item.kind())
                    .inNamespace(namespace)
                    .withName(item.name())
                    .get()));
  }

  private static InventoryItem item(DryRunObject dryRun) {
    var kind = dryRun.object().kind();
    return new InventoryItem(kind.apiVersion(), kind.kind(), dryRun.object().name());
  }
}
