package io.middleware.engine.planning.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.NoWayBack;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PluginActionsTest {
  private static final String PLUGIN =
      """
      name: redis
      version: 1.0.0
      agent: {port: 9090}
      componentTypes:
      - name: redis
        actions:
        - name: flush
          parameters:
          - {name: db, type: integer, minimum: 0, maximum: 15, default: 0}
          - {name: async, type: boolean, default: true}
          - {name: password, pattern: "^[a-z]+$"}
        - {name: save, pods: AnyReplica}
        - name: check
          parameters: [{name: db, default: "0"}]
          runs: Job
          job: {apiVersion: batch/v1, kind: Job}
          timeout: 5m
      - name: sentinel
      """;

  private final PluginActions actions = new PluginActions(read(PLUGIN, PluginSpec.class));
  private final List<DeployedComponent> both =
      List.of(component("nodes", "redis"), component("sentinel", "sentinel"));

  @Test
  void shouldWorkOnTheComponentsThatHaveTheAction() {
    var operation = operation("{app: cache, action: flush}");

    assertThat(actions.problems(operation, both)).isEmpty();
    assertThat(actions.offering(operation, both))
        .extracting(DeployedComponent::component)
        .containsExactly("nodes");
  }

  @Test
  void shouldSayWhatThePluginHas() {
    var known = "it has: flush, save, check (type redis)";

    assertThat(actions.problems(operation("{app: cache, action: purge}"), both))
        .singleElement()
        .asString()
        .startsWith("spec.action: Plugin redis 1.0.0 has no action purge for the targeted")
        .endsWith(known);
    assertThat(
            actions.problems(
                operation("{app: cache, action: save, target: {component: sentinel}}"),
                both.subList(1, 2)))
        .singleElement()
        .asString()
        .endsWith(known);
  }

  @Test
  void shouldFillInTheDefaults() {
    var operation = operation("{app: cache, action: flush, parameters: {db: '3'}}");
    var action = actions.find("redis", "flush").orElseThrow();

    assertThat(actions.problems(operation, both)).isEmpty();
    assertThat(PluginActions.parameters(action, operation))
        .containsEntry("db", "3")
        .containsEntry("async", "true")
        .hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          db: "16"        | spec.parameters.db must be at most 15, was 16
          db: all         | spec.parameters.db must be an integer, was "all"
          async: "yes"    | spec.parameters.async must be true or false, was "yes"
          password: S3    | spec.parameters.password must match ^[a-z]+$, was (not shown)
          key: "1"        | spec.parameters.key is not a parameter of action flush, whose parameters are: async, db, password
          """)
  void shouldCheckTheParameters(String parameter, String problem) {
    var operation = operation("{app: cache, action: flush, parameters: {%s}}".formatted(parameter));

    assertThat(actions.problems(operation, both)).containsExactly(problem);
  }

  @Test
  void shouldRefuseParametersOfABuiltInAction() {
    var operation = operation("{app: cache, action: Restart, parameters: {db: '3'}}");

    assertThat(actions.problems(operation, both))
        .containsExactly("spec.parameters: Restart has none");
    assertThat(actions.offering(operation, both)).isEqualTo(both);
  }

  @Test
  void shouldNeedAgentsAndAStatusThatHoldsAllPods() {
    var operation = operation("{app: cache, action: save}");
    var without =
        new PluginActions(read(PLUGIN.replace("agent: {port: 9090}", ""), PluginSpec.class));
    var huge = List.of(component("nodes", "redis", 600), component("more", "redis", 401));

    assertThat(without.problems(operation, both))
        .containsExactly("spec.action: Plugin redis 1.0.0 has no agents, which would run it");
    assertThat(actions.problems(operation, huge))
        .containsExactly(
            "spec.target: it has 1001 pods, and an action runs on 1000 at most: name some of its groups");
  }

  @Test
  void shouldNeedNoAgentsForAJobOfEachGroup() {
    var operation = operation("{app: cache, action: check}");
    var without =
        new PluginActions(read(PLUGIN.replace("agent: {port: 9090}", ""), PluginSpec.class));
    var huge = List.of(component("nodes", "redis", 600), component("more", "redis", 401));

    assertThat(without.problems(operation, huge)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"role: Replica", "count: 1"})
  void shouldNarrowOnlyWhatRunsOnEachPod(String limit) {
    // Given
    var target = "{app: cache, action: %s, target: {component: nodes, " + limit + "}}";
    var nodes = both.subList(0, 1);
    // When Then
    assertThat(actions.problems(operation(target.formatted("flush")), nodes)).isEmpty();
    for (var action : List.of("save", "check")) {
      assertThat(actions.problems(operation(target.formatted(action)), nodes))
          .containsExactly(
              "spec.target: %s does not run on each pod, so it takes neither role nor count"
                  .formatted(action));
    }
  }

  @Test
  void shouldNameTheJobOfAGroupAlwaysTheSame() {
    // Given
    var check = actions.find("redis", "check").orElseThrow();
    var operation = operation("{app: cache, action: check, timeout: 1m, killTimeout: 5s}");
    var shard = group("shard-0");
    // When
    var job = PluginActions.job(check, operation, shard);
    // Then
    assertThat(job).isEqualTo(PluginActions.job(check, operation, shard));
    assertThat(job.name()).matches("cache-nodes-shard-0-check-[0-9a-f]{10}");
    assertThat(job.parameters()).containsExactly(entry("db", "0"));
    assertThat(job.timeout()).contains(Duration.ofSeconds(90)); // the task ends before it
    assertThat(job.killTimeout()).contains(Duration.ofSeconds(5));
    assertThat(PluginActions.job(check, operation, group("shard-1")).name())
        .isNotEqualTo(job.name());
    operation.getMetadata().setUid("another");
    assertThat(PluginActions.job(check, operation, shard).name()).isNotEqualTo(job.name());
    assertThat(PluginActions.job(check, operation, group("s".repeat(63))).name()).hasSize(63);
  }

  private static GroupSpec group(String name) {
    return read(
        "{app: cache, component: nodes, type: redis, group: %s}".formatted(name), GroupSpec.class);
  }

  private static DeployedComponent component(String name, String type) {
    return component(name, type, 3);
  }

  private static DeployedComponent component(String name, String type, int replicas) {
    var groups = List.of(new GroupTemplate("g", replicas, null, null, null, null));
    var spec = new ComponentSpec("cache", name, type, null, null, null, null, groups, null, null);
    return new DeployedComponent(spec, Set.of(), true, true, false, Map.of(), NoWayBack.NONE);
  }

  private static Operation operation(String spec) {
    var operation = new Operation();
    operation.setMetadata(new ObjectMetaBuilder().withName("o").withUid("u").build());
    operation.setSpec(read(spec, OperationSpec.class));
    return operation;
  }

  private static <T> T read(String yaml, Class<T> type) {
    return Serialization.unmarshal("---\n" + yaml, type); // otherwise flow style is read as JSON
  }
}
