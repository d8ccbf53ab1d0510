package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.ForcedDeletions;
import io.middleware.engine.activities.objects.KeptPodDefaults;
import io.middleware.engine.activities.objects.ObjectWriter;
import io.middleware.engine.activities.objects.PartOwnership;
import io.middleware.engine.activities.objects.ReplacedStatefulSets;
import io.middleware.engine.activities.objects.StatefulSetWriter;
import io.middleware.engine.activities.pods.StopChecks;
import io.middleware.engine.activities.pods.TerminatingClaims;
import io.middleware.engine.activities.secrets.ComponentSecrets;
import io.middleware.engine.activities.secrets.ComponentValues;
import io.middleware.engine.activities.secrets.ConnectionPublisher;
import io.middleware.engine.activities.secrets.MountedAccounts;
import io.middleware.engine.activities.secrets.PublishedConnections;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.FinalizerRemoval;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.cluster.status.ForcedDeletionReport;
import io.middleware.engine.planning.derived.DerivedAtBegin;
import io.middleware.engine.planning.derived.UsedApps;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.DrainFirst;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.GroupRemoval;
import io.middleware.engine.workflows.port.GroupRemoval.Removed;
import io.middleware.engine.workflows.port.GroupWrite;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import io.middleware.engine.workflows.port.OpenedComponent;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.ResourceActivities;
import io.middleware.engine.workflows.port.TaskRef;
import io.middleware.engine.workflows.port.Work.Edit;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** {@inheritDoc} */
public final class KubernetesResourceActivities implements ResourceActivities {

  private final KubernetesClient client;
  private final RollbackEvents rollbacks;
  private final StepApps apps;
  private final EngineObjects engine;
  private final ObjectWriter objects;
  private final GroupWriter groups;
  private final DesiredGroups desiredGroups;
  private final ComponentTransaction components;
  private final OperationOnComponent operations;
  private final GroupApplication application;
  private final RemovedGroupPods removedGroupPods;
  private final RefusedOrders ordering;
  private final PiggybackedOrders orders;
  private final PodPreparation preparation;
  private final ScaledDownPods removedPods;
  private final GroupVolumes volumes;
  private final ComponentSettlement settlement;

  /**
   * @param client with the engine's own rights
   * @param apps reads the App of each step, and checks its run lock
   * @param agents asked in which order pods are drained, and what a restored group has
   * @param ordering asks for the order of groups, and in which pods are replaced
   * @param stopChecks asked before pods are removed for good
   */
  public KubernetesResourceActivities(
      KubernetesClient client,
      ImpersonatedClients writers,
      StepApps apps,
      DesiredGroups desired,
      AgentQueries agents,
      OrderingActivities ordering,
      StopChecks stopChecks,
      EventRecorder events) {
    this.client = client;
    this.rollbacks = new RollbackEvents(events);
    this.apps = apps;
    this.engine = desired.engine();
    var view = apps.view();
    this.objects =
        new ObjectWriter(client, writers, new ForcedDeletions(new ForcedDeletionReport(events)));
    var sets = new StatefulSetWriter(objects, new ReplacedStatefulSets(engine, writers), view);
    var secrets = new AppSecrets(writers);
    this.groups =
        new GroupWriter(
            engine, objects, sets, new KeptPodDefaults(writers), new MountedAccounts(secrets));
    this.desiredGroups = desired;
    this.components =
        new ComponentTransaction(
            apps,
            engine,
            new HotValues(desired::plugin),
            new WayBack(engine, desired::deployed, rollbacks),
            new ComponentValues(
                new ComponentSecrets(secrets),
                new DerivedAtBegin(desired.plugins(), new UsedApps(client, desired.plugins()))));
    this.operations = new OperationOnComponent(apps, engine);
    this.removedPods = new ScaledDownPods(view, events);
    this.volumes = new GroupVolumes(objects, writers, view, desired, events, Clock.systemUTC());
    var claims = new TerminatingClaims(client);
    this.preparation = new PodPreparation(removedPods, claims, agents, stopChecks);
    this.application = application(new WriteWarnings(client, events));
    this.removedGroupPods = new RemovedGroupPods(view, agents, claims, removedPods);
    this.ordering = new RefusedOrders(ordering, engine, view, application);
    this.orders = new PiggybackedOrders(this.ordering);
    this.settlement =
        settlement(
            new RestoredGroups(view, agents, events),
            new PublishedConnections(objects, secrets),
            new ContentSinceStart(writers, events));
  }

  private GroupApplication application(WriteWarnings warnings) {
    return new GroupApplication(
        apps, engine, groups, desiredGroups, removedPods, preparation, volumes, warnings);
  }

  private ComponentSettlement settlement(
      RestoredGroups restored, PublishedConnections connections, ContentSinceStart contents) {
    return new ComponentSettlement(
        apps,
        engine,
        components,
        desiredGroups,
        application,
        volumes,
        restored,
        new SurplusObjects(apps, engine, groups, client),
        connections,
        contents);
  }

  /** The same orders for the workflow; a refused one writes its group back. */
  public OrderingActivities ordering() {
    return ordering;
  }

  /** Publishes how clients connect. */
  public ConnectionPublisher connections() {
    return settlement::publish;
  }

  @Override
  public OpenedComponent openComponent(TaskRef task) {
    var groups =
        switch (task.change().work()) {
          case Edit edit -> components.begin(task);
          case OperationRef operation -> operations.begin(task);
        };
    if (task.rollback()) {
      rollbacks.record(task, groups);
    }
    return new OpenedComponent(groups, orders.ofGroups(task, groups));
  }

  @Override
  public void settleComponent(TaskRef task) {
    settlement.settle(task);
  }

  @Override
  public GroupWrite applyGroup(GroupRef ref) {
    if (ref.task().change().work() instanceof OperationRef) {
      operations.begin(ref);
    }
    return switch (application.apply(ref)) {
      case Applied applied -> applied.with(orders.ofPods(ref, applied));
      case GroupWrite first -> first;
    };
  }

  @Override
  public Applied applyMembers(MembersWrite request) {
    return application.applyMembers(request);
  }

  @Override
  public Applied applyDrainedGroup(GroupRef ref) {
    var applied = application.applyDrained(ref);
    return applied.with(orders.ofPods(ref, applied));
  }

  @Override
  public void completeGroup(GroupRef ref) {
    application.complete(ref);
  }

  @Override
  public GroupRemoval removeGroup(GroupRef ref) {
    var change = ref.task().change();
    var toDrain = apps.read(change, app -> toDrain(app, ref));
    if (toDrain.isPresent()) {
      StepApps.unpaused(apps.check(change));
    } else {
      removeDrainedGroup(ref);
    }
    return toDrain.<GroupRemoval>map(drain -> drain).orElseGet(Removed::new);
  }

  private Optional<DrainFirst> toDrain(App app, GroupRef ref) {
    var othersStay = CarriedSpec.desired(app, ref.task()).isPresent();
    return ownGroup(ref)
        .filter(group -> group.getSpec() != null)
        .flatMap(
            group ->
                removedGroupPods.first(
                    app, ref, othersStay, () -> desiredGroups.plugin(ref.task(), group.getSpec())));
  }

  @Override
  public void removeDrainedGroup(GroupRef ref) {
    var task = ref.task();
    var change = task.change();
    var found =
        apps.read(
            change,
            app ->
                ownGroup(ref)
                    .map(
                        group ->
                            groups.findToRemove(app, group, desiredGroups.inventory(app, group)))
                    .orElseGet(List::of));
    var app = apps.withSpec(change, StepApps.unpaused(apps.check(change)));
    var pods = removedPods.of(ref, found);
    var claims =
        ownGroup(ref)
            .map(group -> volumes.of(ref, desiredGroups.inventory(app, group), found))
            .orElseGet(List::of);
    var keeps = RemovedGroupPods.keepsVolumes(app);
    if (keeps) {
      preparation.requireVolumes(app, ref, pods);
    }
    groups.remove(app, found, () -> apps.check(change));
    removedPods.reportWithGroup(app, ref, pods);
    if (keeps) {
      volumes.keep(app, ref, claims);
    } else {
      volumes.delete(app, claims);
    }
  }

  private Optional<Group> ownGroup(GroupRef ref) {
    return engine.group(ref.task(), ref.group()).filter(group -> PartOwnership.isOf(ref, group));
  }

  @Override
  public void releaseGroup(GroupRef ref) {
    var change = ref.task().change();
    var found = ownGroup(ref);
    var app = apps.withSpec(change, apps.check(change));
    found.ifPresent(
        group -> {
          if (app.isDeletedByForce()) {
            groups.reportHeldObjects(app, group);
          }
          engine.delete(group, () -> apps.check(change));
        });
  }

  @Override
  public void releaseApp(ChangeRef change) {
    var app =
        Faults.read(
            "App " + change.app(),
            client.resources(App.class).inNamespace(change.namespace()).withName(change.app()));
    if (app.filter(it -> change.uid().equals(it.getMetadata().getUid())).isEmpty()) {
      return;
    }
    var locked = apps.check(change);
    if (locked.isMarkedForDeletion()) {
      new FinalizerRemoval(client).remove(locked, Labels.TEARDOWN);
    }
  }
}
