package io.middleware.engine.activities.plan;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.ImpersonatedClients;
import io.middleware.engine.activities.kubernetes.PodState;
import io.middleware.engine.activities.plan.ServerSideDryRun.DryRunObject;
import io.middleware.engine.activities.status.AppStatusFactory;
import io.middleware.engine.activities.status.PlanStatusWriter;
import io.middleware.engine.api.App;
import io.middleware.engine.api.ApprovalMode;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Shows a plan to whoever is to approve it, where the App asks for that. */
final class PlanApproval {
  private final KubernetesClient engine;
  private final ImpersonatedClients writers;
  private final PlanStatusWriter board;

  /**
   * @param engine client with the engine's own rights
   */
  PlanApproval(KubernetesClient engine, ImpersonatedClients writers) {
    this.engine = engine;
    this.writers = writers;
    this.board = new PlanStatusWriter(engine);
  }

  /**
   * A plan and what it would do.
   *
   * @param rehearsed the objects it would apply
   * @param growth the volumes it would grow
   * @param reloads names of the Groups whose pods would reload their configuration
   */
  record Proposal(
      ChangePlan plan,
      List<DryRunObject> rehearsed,
      PlannedExpansion growth,
      Set<String> reloads) {}

  /**
   * @return the plan, to be approved first where the App says so and there is something to do
   */
  ChangePlan ask(ChangeRef change, App app, DesiredApp wanted, Proposal proposal) {
    var plan = proposal.plan();
    var settings = app.getSpec().change();
    if (settings == null || settings.approval() != ApprovalMode.MANUAL || plan.tasks().isEmpty()) {
      return plan;
    }
    var preview = new Preview(proposal.reloads());
    var pods = pods(app);
    proposal.growth().claims().forEach(claim -> preview.grow(claim.name()));
    proposal
        .rehearsed()
        .forEach(
            one -> {
              var before = live(app, item(one));
              var made =
                  pods.stream().filter(pod -> before.filter(pod::isControlledBy).isPresent());
              preview.apply(one, before, made.toList());
            });
    dropped(app, wanted).flatMap(item -> live(app, item).stream()).forEach(preview::delete);
    var shown = preview.status(plan.generation(), AppStatusFactory.tasks(plan));
    board.show(change, shown);
    return plan.awaiting(shown.hash());
  }

  private List<PodState> pods(App app) {
    var metadata = app.getMetadata();
    return Faults.attempt(
            "list the pods of App " + metadata.getName(),
            () ->
                engine
                    .pods()
                    .inNamespace(metadata.getNamespace())
                    .withLabel(Labels.APP, metadata.getName())
                    .list()
                    .getItems())
        .stream()
        .map(PodState::new)
        .toList();
  }

  private Stream<InventoryItem> dropped(App app, DesiredApp wanted) {
    var namespace = app.getMetadata().getNamespace();
    var groups =
        Faults.attempt(
            "list Groups of App " + app.getMetadata().getName(),
            () ->
                engine
                    .resources(Group.class)
                    .inNamespace(namespace)
                    .withLabel(Labels.APP, app.getMetadata().getName())
                    .list()
                    .getItems());
    return groups.stream()
        .filter(group -> !isWanted(group, wanted))
        .filter(group -> group.getStatus() != null && group.getStatus().inventory() != null)
        .flatMap(group -> group.getStatus().inventory().stream());
  }

  private static boolean isWanted(Group group, DesiredApp wanted) {
    var labels = group.getMetadata().getLabels();
    var component = wanted.components().get(labels.get(Labels.COMPONENT));
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

  private static InventoryItem item(DryRunObject one) {
    var kind = one.object().kind();
    return new InventoryItem(kind.apiVersion(), kind.kind(), one.object().name());
  }
}
