package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.operation.ActionRunBuilder;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is checked before an action of the Plugin begins. */
@ExtendWith(ApiServer.class)
class ActionPlanningIT {
  private static final String ACTIONS =
      """
          actions:
          - name: check
            parameters: [{name: least, type: integer, default: 2}]
            preconditions:
            - {cel: "replicas >= int(parameters.least)", message: "it has too few replicas"}
            runs: Job
            job:
              apiVersion: batch/v1
              kind: Job
              spec: {template: {spec: {containers: [{name: check, image: "${images.redis}"}]}}}
          templates:
      """;

  private final LocalNamespace cluster;

  ActionPlanningIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @Test
  void shouldPlanATaskAndCreateNothing() {
    // Given
    var scene = scene(UnaryOperator.identity());
    // When
    var answer = scene.plan(scene.action("{app: cache, action: check}"));
    // Then
    assertThat(((Planned) answer).plan().tasks())
        .singleElement()
        .satisfies(task -> assertThat(task.type()).isEqualTo(ChangeType.ACTION));
    assertThat(
            cluster
                .client()
                .resources(Job.class)
                .inNamespace(cluster.namespace())
                .list()
                .getItems())
        .isEmpty();
  }

  @Test
  void shouldRejectWhatThePreconditionsDoNotAllow() {
    assertThat(rejection(UnaryOperator.identity(), ", parameters: {least: '3'}"))
        .isEqualTo(
            "OperationRefused: spec.action: check in group g of component db: it has too few replicas");
  }

  @Test
  void shouldNameThePlaceOfAnError() {
    assertThat(rejection(text -> text.replace("int(parameters.least)", "leest"), ""))
        .startsWith("TemplateError: Plugin redis-v1.0.0, for group db/g: ")
        .contains("redis.actions[check].preconditions[0]: cel (1:13): undeclared reference");
  }

  @Test
  void shouldWantTrueOrFalse() {
    assertThat(rejection(text -> text.replace("replicas >= int(parameters.least)", "replicas"), ""))
        .contains("redis.actions[check].preconditions[0]: cel (1:1): must be true or false");
  }

  @Test
  void shouldRejectAJobThatTheApiServerRefuses() {
    assertThat(rejection(text -> text.replace("name: check, image", "name: Check, image"), ""))
        .startsWith("ObjectRefused: Job ")
        .contains("spec.template.spec.containers[0].name");
  }

  @Test
  void shouldNotCheckAgainWhatHasBegun() {
    // Given
    var scene = scene(UnaryOperator.identity());
    var change = scene.action("{app: cache, action: check, parameters: {least: '3'}}");
    var operation = scene.now(change);
    var run =
        ActionRunBuilder.builder()
            .pod("job")
            .uid("uid")
            .component("db")
            .group("g")
            .status(ActionRun.RUNNING)
            .attempts(1)
            .build();
    operation.setStatus(OperationStatus.pending("is about to begin").with(run));
    cluster.client().resource(operation).updateStatus();
    // When Then
    assertThat(scene.plan(change)).isInstanceOf(Planned.class);
  }

  private OperationScene scene(UnaryOperator<String> edit) {
    return new OperationScene(
        cluster,
        plugin -> plugin.replaceFirst("(?m)^ *templates:\\n", quoted(edit.apply(ACTIONS))));
  }

  private static String quoted(String replacement) {
    return Matcher.quoteReplacement(replacement);
  }

  private String rejection(UnaryOperator<String> edit, String fields) {
    var scene = scene(edit);
    var answer = scene.plan(scene.action("{app: cache, action: check%s}".formatted(fields)));
    var rejected = (Rejected) answer;
    return rejected.reason() + ": " + rejected.message();
  }
}
