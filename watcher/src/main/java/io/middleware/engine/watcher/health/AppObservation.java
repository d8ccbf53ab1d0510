package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.process.pods.PodReports;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An App with its Components, Groups, pods, roles, Backups, volume claims and StatefulSets, as last
 * observed.
 *
 * @param roles what the agents have said
 * @param reports what events say of pods
 * @param objects of its groups
 * @param problems of what it uses, and of its endpoints
 * @param endpoints Services for the applications that use it
 */
public record AppObservation(
    App app,
    List<Component> components,
    List<Group> groups,
    List<Pod> pods,
    KnownRoles roles,
    List<Backup> backups,
    List<PersistentVolumeClaim> claims,
    List<StatefulSet> sets,
    PodReports reports,
    ExistingObjects objects,
    List<HealthProblem> problems,
    List<EndpointService> endpoints) {
  public AppObservation {
    endpoints = List.copyOf(endpoints);
    components = List.copyOf(components);
    groups = List.copyOf(groups);
    pods = List.copyOf(pods);
    backups = List.copyOf(backups);
    claims = List.copyOf(claims);
    sets = List.copyOf(sets);
    problems = List.copyOf(problems);
  }

  /** With roles of ready pods by uid, and without Backups, volume claims and StatefulSets. */
  public AppObservation(
      App app,
      List<Component> components,
      List<Group> groups,
      List<Pod> pods,
      Map<String, String> roles) {
    this(
        app,
        components,
        groups,
        pods,
        new KnownRoles(roles, Map.of()),
        List.of(),
        List.of(),
        List.of(),
        PodReports.NONE,
        ExistingObjects.UNKNOWN,
        List.of(),
        List.of());
  }

  /** The same with this problem as well. */
  public AppObservation with(HealthProblem problem) {
    return new AppObservation(
        app,
        components,
        groups,
        pods,
        roles,
        backups,
        claims,
        sets,
        reports,
        objects,
        Stream.concat(problems.stream(), Stream.of(problem)).toList(),
        endpoints);
  }

  /** Whether a change runs, the App is being deleted, or no change has ended yet. */
  public boolean isChanging() {
    return isChanging(app);
  }

  /** Whether a task has begun on the component and has not ended, so that objects may not exist. */
  boolean isUnfinished(String component) {
    return components.stream()
        .filter(one -> GroupStates.label(one, Labels.COMPONENT).equals(component))
        .anyMatch(one -> !GroupStates.annotation(one, Labels.UNFINISHED).isEmpty());
  }

  VolumeHealth volumes() {
    return new VolumeHealth(app, claims, pods);
  }

  /** The same for an App of which nothing else is observed. */
  public static boolean isChanging(App app) {
    return new AppHealth(app, new GroupStates(List.of()), List.of()).isChanging();
  }
}
