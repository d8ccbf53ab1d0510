package io.middleware.engine.activities.resources;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.objects.ForcedDeletions;
import io.middleware.engine.activities.objects.KeptPodDefaults;
import io.middleware.engine.activities.objects.ObjectWriter;
import io.middleware.engine.activities.objects.ReplacedStatefulSets;
import io.middleware.engine.activities.objects.StatefulSetWriter;
import io.middleware.engine.activities.resources.DesiredGroups.DesiredGroup;
import io.middleware.engine.activities.resources.GroupWriter.ObservedObjects;
import io.middleware.engine.activities.secrets.ComponentSecrets;
import io.middleware.engine.activities.secrets.ComponentValues;
import io.middleware.engine.activities.secrets.MountedAccounts;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.cluster.status.ForcedDeletionReport;
import io.middleware.engine.planning.derived.DerivedAtBegin;
import io.middleware.engine.planning.derived.UsedApps;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;

/** What writes the group {@code g} of the component {@code db}, for one task at a time. */
public final class LocalWriters {
  final LocalEngine engine;
  public final ObjectWriter objects;
  final GroupWriter groups;

  public LocalWriters(LocalEngine engine) {
    this.engine = engine;
    var deletions = new ForcedDeletions(new ForcedDeletionReport(engine.events));
    this.objects = new ObjectWriter(engine.cluster.client(), engine.writers, deletions);
    this.groups =
        new GroupWriter(
            engine.objects,
            objects,
            new StatefulSetWriter(
                objects,
                new ReplacedStatefulSets(engine.objects, engine.writers),
                engine.cluster.view()),
            new KeptPodDefaults(engine.writers),
            new MountedAccounts(new AppSecrets(engine.writers)));
  }

  ComponentTransaction transaction() {
    return transaction(engine.cluster.view());
  }

  ComponentTransaction transaction(ClusterView view) {
    return new ComponentTransaction(
        engine.apps(view),
        engine.objects,
        new HotValues(
            (task, group) -> {
              throw new NoSuchElementException();
            }),
        new WayBack(engine.objects, engine.groups::deployed, new RollbackEvents(engine.events)),
        new ComponentValues(
            new ComponentSecrets(new AppSecrets(engine.writers)),
            new DerivedAtBegin(
                engine.groups.plugins(),
                new UsedApps(engine.cluster.client(), engine.groups.plugins()))));
  }

  /** A task of the App's newest generation, whose run holds the run lock. */
  TaskRef task(App app, ChangeType type) {
    return new TaskRef(
        engine.begin(app), "1-" + type.label().toLowerCase(Locale.ROOT) + "-db", type, "db");
  }

  /** Begins the task. */
  public GroupRef open(App app, ChangeType type) {
    var task = task(app, type);
    transaction().begin(task);
    return new GroupRef(task, "g");
  }

  /** Begins the task and writes its Group as it is to be, but none of its objects. */
  public GroupRef openWithGroup(App app, ChangeType type) {
    var ref = open(app, type);
    apply(ref, desired(app, ref).group());
    return ref;
  }

  public void end(GroupRef ref) {
    transaction().end(ref.task());
  }

  /** Begins the task, writes the group and ends the task. */
  GroupRef carryOut(App app, ChangeType type) {
    var ref = open(app, type);
    write(app, ref);
    transaction().end(ref.task());
    return ref;
  }

  /** The Group as it is on the API server, written first if it is not there. */
  public Group group(App app, GroupRef ref) {
    return engine
        .objects
        .group(ref.task(), ref.group())
        .orElseGet(() -> apply(ref, desired(app, ref).group()));
  }

  DesiredGroup desired(App app, GroupRef ref) {
    return engine.groups.of(app, ref);
  }

  Optional<AppliedStatefulSet> write(App app, GroupRef ref) {
    return write(app, ref, desired(app, ref));
  }

  Optional<AppliedStatefulSet> write(App app, GroupRef ref, DesiredGroup desired) {
    var group = apply(ref, desired.group());
    return write(app, ref, desired, check(app, ref, group));
  }

  Optional<AppliedStatefulSet> write(
      App app, GroupRef ref, DesiredGroup desired, ObservedObjects seen) {
    var group = engine.objects.group(ref.task(), ref.group()).orElseThrow();
    return groups.write(app, group, desired, seen);
  }

  /** Writes the Group as it is now. */
  Group apply(GroupRef ref, Group desired) {
    var seen = engine.objects.group(ref.task(), ref.group());
    return engine.objects.apply(desired, seen, false, fence(ref));
  }

  ObservedObjects check(App app, GroupRef ref, Group group) {
    return groups.check(app, group, desired(app, ref).objects(), fence(ref));
  }

  /** What a removal of the group deletes. */
  List<GenericKubernetesResource> findToRemove(App app, Group group) {
    return groups.findToRemove(app, group, engine.groups.inventory(app, group));
  }

  Runnable fence(GroupRef ref) {
    return () -> engine.fence.check(ref.task().change());
  }
}
