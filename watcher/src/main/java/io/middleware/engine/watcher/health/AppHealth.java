package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppEndpoint;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentHealth;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.api.task.ChangeOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Computes the health of an App: phase, ready pods and the condition Ready. An App is ready only
 * when its last change succeeded, what is deployed is as its spec says, and all desired pods are
 * ready; the condition then names the generation carried out, so that a pending edit is never
 * reported as ready.
 *
 * @param others problems of what the App uses, and of its endpoints
 * @param endpoints where applications reach it
 */
record AppHealth(
    App app,
    GroupStates groups,
    List<Component> components,
    List<HealthProblem> others,
    List<EndpointService> endpoints) {

  private static final int MOST_ENDPOINTS = 256;
  private static final List<String> OTHERS =
      List.of(Reasons.DEPENDENCIES_MISSING, Reasons.ENDPOINTS_OUTDATED);

  /** Of an App that has all that it uses. */
  AppHealth(App app, GroupStates groups, List<Component> components) {
    this(app, groups, components, List.of(), List.of());
  }

  /** The desired health fields of the App's status. */
  AppStatus status(Instant now) {
    return health(
        phase().label(),
        groups.readyCount().ratio(),
        new DeployedRuntime(app, components, isRunning()).text(),
        groups.byComponent(),
        inStatus(),
        conditions(now));
  }

  /** The same fields as the status has them. */
  AppStatus current() {
    var current = before();
    return health(
        current.phase(),
        current.ready(),
        current.runtime(),
        current.components(),
        current.endpoints(),
        Stream.concat(
                PartHealth.own(current.conditions()).stream(),
                OTHERS.stream()
                    .flatMap(type -> HealthProblem.in(type, current.conditions()).stream()))
            .toList());
  }

  private List<AppEndpoint> inStatus() {
    var namespace = app.getMetadata().getNamespace();
    return endpoints.isEmpty()
        ? null
        : endpoints.stream()
            .limit(MOST_ENDPOINTS)
            .map(endpoint -> endpoint.inStatus(namespace))
            .toList();
  }

  private List<Condition> conditions(Instant now) {
    var before = before().conditions();
    return Stream.concat(
            Stream.of(readyVerdict().condition(before, now)),
            problems().map(it -> it.condition(before, before().observedGeneration(), now)))
        .toList();
  }

  private Optional<HealthProblem> objectProblem() {
    return GroupObjects.problem(groups.all());
  }

  private Stream<HealthProblem> problems() {
    return Stream.concat(
            Stream.of(objectProblem(), RoleProblem.of(groups.all())),
            OTHERS.stream().map(type -> HealthProblem.together(of(type))))
        .flatMap(Optional::stream);
  }

  private List<HealthProblem> of(String type) {
    return others.stream().filter(problem -> problem.type().equals(type)).toList();
  }

  /**
   * Whether a change or an Operation runs, the App is being deleted, or no change has ended yet.
   */
  boolean isChanging() {
    return app.isMarkedForDeletion() || isRunning() || !hasEndedChange();
  }

  private static AppStatus health(
      String phase,
      String ready,
      String runtime,
      List<ComponentHealth> components,
      List<AppEndpoint> endpoints,
      List<Condition> conditions) {
    return AppStatusBuilder.builder()
        .phase(phase)
        .ready(ready)
        .runtime(runtime)
        .components(components)
        .endpoints(endpoints)
        .conditions(conditions)
        .build();
  }

  private HealthPhase phase() {
    if (app.isMarkedForDeletion()) {
      return HealthPhase.DELETING;
    }
    if (isRunning() && before().plan() != null) {
      return HealthPhase.AWAITING_APPROVAL;
    }
    if (isRunning() && app.isPaused()) {
      return HealthPhase.PAUSED;
    }
    if (isRunning()) {
      return hasEndedChange() ? HealthPhase.CHANGING : HealthPhase.PROVISIONING;
    }
    if (!hasEndedChange()) {
      return HealthPhase.PROVISIONING;
    }
    if (endedAs(ChangeOutcome.REJECTED)) {
      return HealthPhase.REJECTED;
    }
    if (endedAs(ChangeOutcome.FAILED)) {
      return HealthPhase.FAILED;
    }
    if (!groups.readyCount().isComplete()
        || difference().isPresent()
        || problems().anyMatch(HealthProblem::isDegrading)) {
      return HealthPhase.DEGRADED;
    }
    return groups.areStopped() ? HealthPhase.STOPPED : HealthPhase.RUNNING;
  }

  private ReadyCondition readyVerdict() {
    var readyCount = groups.readyCount();
    var generation = app.getMetadata().getGeneration();
    if (app.isMarkedForDeletion()) {
      return inProgress("being deleted: ", generation);
    }
    if (isRunning()) {
      return inProgress(currentTask(), change().generation());
    }
    if (!hasEndedChange()) {
      return inProgress("waiting for the first change: ", generation);
    }
    var observed = before().observedGeneration();
    if (!endedAs(ChangeOutcome.SUCCEEDED)) {
      return ReadyCondition.notReady(
          "Change" + change().outcome(), message(change()) + readyCount.message(), observed);
    }
    if (readyCount.isComplete() && difference().isPresent()) {
      return ReadyCondition.notReady(
          Reasons.DIFFERS_FROM_SPEC, difference().get() + readyCount.message(), observed);
    }
    return ReadyCondition.of(readyCount, groups.areStopped(), problems().toList(), observed);
  }

  /** After any other end, what is deployed may well differ. */
  private Optional<String> difference() {
    return Optional.of(new SpecDifference(app, groups, components))
        .filter(compared -> endedAs(ChangeOutcome.SUCCEEDED))
        .flatMap(SpecDifference::message)
        .map("not as the App's spec says: %s; any edit of the App plans it again; "::formatted);
  }

  private ReadyCondition inProgress(String prefix, Long generation) {
    return ReadyCondition.notReady(
        Reasons.CHANGE_IN_PROGRESS, prefix + groups.readyCount().message(), generation);
  }

  private String currentTask() {
    if (before().operation() != null) {
      return "Operation %s: ".formatted(before().operation().name());
    }
    return change().currentTask() == null ? "" : "task " + change().currentTask() + ": ";
  }

  private static String message(ChangeStatus change) {
    return change.message() == null || change.message().isEmpty() ? "" : change.message() + "; ";
  }

  private boolean isRunning() {
    return before().operation() != null || (change() != null && change().outcome() == null);
  }

  private boolean endedAs(ChangeOutcome outcome) {
    return change() != null && outcome.label().equals(change().outcome());
  }

  /** Whether any change has ended, with any outcome. */
  private boolean hasEndedChange() {
    return change() != null && before().observedGeneration() != null;
  }

  private ChangeStatus change() {
    return before().change();
  }

  private AppStatus before() {
    return app.getStatus() == null ? AppStatusBuilder.builder().build() : app.getStatus();
  }
}
