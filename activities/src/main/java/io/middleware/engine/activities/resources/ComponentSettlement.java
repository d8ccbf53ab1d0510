package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.PartOwnership;
import io.middleware.engine.activities.secrets.ConnectionPublisher;
import io.middleware.engine.activities.secrets.PublishedConnections;
import io.middleware.engine.activities.secrets.PublishedValues;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Set;

/** The end of a task on its Component. */
record ComponentSettlement(
    StepApps apps,
    EngineObjects engine,
    ComponentTransaction components,
    DesiredGroups desired,
    GroupApplication application,
    GroupVolumes volumes,
    RestoredGroups restored,
    SurplusObjects surplus,
    PublishedConnections connections,
    ContentSinceStart contents) {
  /** After a task of these types pods use their volumes with the values of the Component. */
  private static final Set<ChangeType> USING_VOLUMES =
      Set.of(
          ChangeType.PROVISION,
          ChangeType.VERSION_UPGRADE,
          ChangeType.CONFIG,
          ChangeType.RESOURCES,
          ChangeType.START,
          ChangeType.REAPPLY,
          ChangeType.RESTART);

  /**
   * Publishes how clients connect, deletes what the task's groups no longer render, and removes the
   * task's mark from the Component. Everything may have been done before.
   */
  void settle(TaskRef task) {
    if (fillsPods(task) && components.forgetBackup(task)) {
      engine.groups(task).stream()
          .filter(group -> group.getSpec() != null && group.getSpec().restoreFrom() != null)
          .forEach(group -> forgetBackup(task, group.getSpec()));
    }
    recordVolumes(task);
    SurplusObjects.writtenBy(task, engine)
        .forEach(group -> publish(task, group, connections.ofTask(task)));
    surplus.prune(task);
    components.end(task);
    if (task.type() == ChangeType.REAPPLY) {
      contents.report(
          apps.withSpec(task.change(), apps.check(task.change())), engine.statefulSets(task));
    }
  }

  private void forgetBackup(TaskRef task, GroupSpec group) {
    restored.report(task, group, desired.plugin(task, group));
    application.rewrite(new GroupRef(task, group.group()));
  }

  /** As {@link ConnectionPublisher} says. */
  void publish(TaskRef task, Set<String> names, PublishedValues values) {
    names.stream()
        .map(task::on)
        .forEach(part -> engine.groups(part).forEach(group -> publish(part, group, values)));
  }

  private void publish(TaskRef task, Group group, PublishedValues values) {
    var change = task.change();
    Runnable fence = () -> apps.check(change);
    var found =
        apps.read(
            change,
            app -> connections.read(app, group, desired.written(task, app, group), values, fence));
    if (!found.isEmpty()) {
      connections.write(apps.withSpec(change, apps.check(change)), group, found);
    }
  }

  private void recordVolumes(TaskRef task) {
    if (USING_VOLUMES.contains(task.type())) {
      var app = apps.withSpec(task.change(), apps.check(task.change()));
      engine
          .component(task)
          .filter(component -> component.getSpec() != null)
          .filter(component -> PartOwnership.isController(task.change().uid(), component))
          .ifPresent(component -> volumes.record(app, task, component));
    }
  }

  /** Whether the pods of the task begin with the data of a backup. */
  private boolean fillsPods(TaskRef task) {
    return !task.rollback()
        && (task.type() == ChangeType.PROVISION || task.type() == ChangeType.START)
        && apps.read(
            task.change(),
            app -> app.getSpec() != null && app.specToDeploy().restoreFrom() != null);
  }
}
