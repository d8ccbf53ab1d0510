package io.middleware.engine.activities.testing.load;

import io.middleware.engine.activities.testing.Manifests;
import io.middleware.engine.activities.testing.PodTemplates;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.api.testing.LoadChecks;
import io.middleware.engine.api.testing.LoadTestSpec;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.planning.condition.ConditionProblems;
import io.middleware.engine.planning.condition.EndpointPolicy;
import io.middleware.engine.render.expression.ConditionExpression;
import io.middleware.engine.render.expression.ConditionScope;
import io.middleware.engine.render.expression.ObjectSource;
import io.middleware.engine.workflows.testing.port.LoadRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is wrong with a LoadTest, as far as that can be told without the cluster. */
final class LoadProblems {
  private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofDays(7);

  private final LoadRef load;
  private final LoadTestSpec spec;
  private final Manifests workload;
  private final ConditionProblems conditions;
  private final List<String> problems = new ArrayList<>();

  private LoadProblems(LoadRef load, LoadTestSpec spec, EndpointPolicy endpoints) {
    this.load = load;
    this.spec = spec;
    this.conditions = new ConditionProblems(ConditionScope.LOAD_TEST, endpoints);
    this.workload = Manifests.of(load.test().namespace(), "spec.workload", spec.workload());
  }

  /** All problems, each with its place; empty when there is none. */
  static List<String> of(LoadRef load, LoadTestSpec spec, EndpointPolicy endpoints) {
    var all = new LoadProblems(load, spec, endpoints);
    all.ofUse();
    all.ofReadiness();
    all.ofInjections();
    all.ofWorkload();
    Optional.ofNullable(spec.checks()).ifPresent(all::ofChecks);
    return all.problems;
  }

  private void ofUse() {
    if (ObjectSource.SECRET.equals(spec.target().kind())) {
      problems.add("spec.target: is a Secret, which tests do not read");
    }
    Optional.ofNullable(spec.target().labels()).ifPresent(labels -> labels.forEach(this::ofLabel));
    if (!load.hasStatus() && !spec.isSuspended()) {
      problems.add("spec.suspend: must be true, as a step names this LoadTest");
    }
  }

  /** What is more than a label would select other objects. */
  private void ofLabel(String name, String value) {
    if (!SchemaPatterns.isFollowed(SchemaPatterns.LABEL_NAME, name)
        || !SchemaPatterns.isFollowed(SchemaPatterns.LABEL_VALUE, value)) {
      problems.add(
          PlainText.clean("spec.target.labels: \"%s: %s\" is not a label".formatted(name, value)));
    }
  }

  private void ofReadiness() {
    Optional.ofNullable(spec.ready())
        .map(it -> conditions.ofTest("spec.ready", it.isOfAll(), it.conditions()))
        .ifPresent(it -> it.forEach(problems::add));
  }

  private void ofInjections() {
    var values = spec.injections();
    for (var i = 0; i < values.size(); i++) {
      var place = "spec.inject[%d].cel ".formatted(i);
      ConditionExpression.problems(ConditionScope.INJECTION, values.get(i).cel())
          .forEach(problem -> problems.add(place + problem));
    }
    if (!values.isEmpty() && workload.objects().stream().noneMatch(PodTemplates::hasPods)) {
      problems.add("spec.inject: no object of spec.workload has pods");
    }
  }

  private void ofWorkload() {
    problems.addAll(workload.problems());
    if (workload.objects().isEmpty() && workload.problems().isEmpty()) {
      problems.add("spec.workload: has no object");
    }
    if (SpecDurations.parse(spec.duration()).filter(it -> it.compareTo(LONGEST) > 0).isPresent()) {
      problems.add("spec.duration: is longer than 7 days");
    }
    if (spec.duration() == null && workload.objects().stream().noneMatch(WorkloadJobs::isJob)) {
      problems.add("spec.duration: is missing, and spec.workload has no Job that ends by itself");
    }
  }

  private void ofChecks(LoadChecks checks) {
    conditions.ofTest("spec.checks", checks.isOfAll(), checks.conditions()).forEach(problems::add);
    var duration = SpecDurations.parse(spec.duration());
    if (duration.filter(it -> it.compareTo(every(checks)) < 0).isPresent()) {
      problems.add(
          "spec.checks.every: is longer than spec.duration, so that nothing would be checked");
    }
  }

  static Duration every(LoadChecks checks) {
    return SpecDurations.parse(checks.every()).orElse(DEFAULT_INTERVAL);
  }
}
