package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two versions of a Plugin that differ in one field, for each field: the plan names what differs,
 * and nothing that has pods or volume claims is replaced.
 */
@ExtendWith(ApiServer.class)
class DeployedPluginIT {
  private static final String PARAMETERS =
      """
          parameters:
          - {name: dbfilename, type: string, default: dump.rdb, effect: Immutable}
          - {name: ratio, type: integer, default: 3, effect: Hot}
          - {name: databases, type: integer, default: 16, effect: Restart}
          - {name: masterauth, type: string, default: one, effect: Restart}
      """;

  private final LocalNamespace cluster;
  private LocalEngine engine;

  DeployedPluginIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  /**
   * @param from text of the Plugin
   * @param refused whether the plan is rejected; its message, or the plan, says all of {@code
   *     words}
   */
  record Difference(String from, String to, boolean refused, String... words) {
    @Override
    public String toString() {
      return from + " -> " + to;
    }
  }

  static Stream<Difference> differences() {
    return Stream.concat(ofValues(), ofObjects());
  }

  private static Stream<Difference> ofValues() {
    return Stream.of(
        new Difference(
            "default: dump.rdb", "default: data.rdb", true, "dbfilename", "dump.rdb", "data.rdb"),
        new Difference("default: dump.rdb, ", "", true, "dbfilename", "dump.rdb"),
        new Difference(
            "    - {name: dbfilename, type: string, default: dump.rdb, effect: Immutable}\n",
            "",
            true,
            "dbfilename",
            "dump.rdb"),
        new Difference(
            "default: 3, effect: Hot", "default: 5, effect: Hot", false, "ratio", "3 → 5"),
        new Difference(
            "default: 16, effect: Restart",
            "default: 32, effect: Restart",
            false,
            "databases of db",
            "16 → 32 (restart)"),
        new Difference("default: one", "default: two", false, "masterauth", "(not shown)"),
        new Difference(
            "    templates:\n",
            "    values: {ratio: 7}\n    templates:\n",
            false,
            "ratio",
            "3 → 7 (hot)"),
        new Difference("redis:7.0", "redis:7.0-1", false, "image", "redis:7.0 → redis:7.0-1"));
  }

  /** Of what has pods or volume claims. */
  private static Stream<Difference> ofObjects() {
    var sets = "kind: StatefulSet\n        metadata: {name: \"${name}";
    return Stream.of(
        new Difference(
            sets, sets + "-db", true, "StatefulSet cache-db-g", "cache-db-g-db", "left behind"),
        new Difference(
            "- metadata: {name: data}", "- metadata: {name: store}", true, "volumeClaimTemplates"),
        new Difference(
            "accessModes: [ReadWriteOnce]",
            "accessModes: [ReadWriteOncePod]",
            true,
            "volumeClaimTemplates"),
        new Difference(
            "serviceName: \"${name}\"", "serviceName: other", true, "serviceName", "other"),
        new Difference(
            "          serviceName:",
            "          podManagementPolicy: Parallel\n          serviceName:",
            true,
            "podManagementPolicy",
            "Parallel"),
        new Difference(
            "selector: {matchLabels: \"${selectorLabels}\"}",
            "selector: {matchLabels: {middleware.io/app: cache}}",
            true,
            "selector"));
  }

  @ParameterizedTest
  @MethodSource("differences")
  void shouldSayWhatAnotherVersionMakesDifferent(Difference difference) {
    // Given
    deploy();
    create("1.1.0", difference);
    // When Then
    requireSaid(difference, upgraded());
  }

  /** An edit of another field takes the edited Plugin along. */
  @ParameterizedTest
  @MethodSource("differences")
  void shouldSayWhatAnEditOfTheSameVersionMakesDifferent(Difference difference) {
    // Given
    deploy();
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    create("1.0.0", difference);
    // When Then
    requireSaid(difference, edited(yaml -> yaml.replace("replicas: 2", "replicas: 3")));
  }

  @ParameterizedTest
  @MethodSource("differences")
  void shouldSayItAlsoWhenThePluginThatMadeThemIsGone(Difference difference) {
    // Given
    deploy();
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    create("1.1.0", difference);
    // When Then
    requireSaid(difference, upgraded());
  }

  /** Of what pods are not made of. */
  static Stream<Difference> ofNothingDeployed() {
    var agent = "  agent: {port: 9090}\n";
    var templates = "    templates:\n";
    return Stream.of(
        harmless("default: 3, effect: Hot", "default: 3, maximum: 9, effect: Hot"),
        harmless("default: 3, effect: Hot", "default: 3, effect: Restart"),
        harmless("default: 16, effect: Restart", "default: 16, minimum: 1, effect: Restart"),
        harmless("default: one", "pattern: '^[a-z]+$', default: one"),
        harmless("type: string, default: one", "type: string, enum: [one, two], default: one"),
        harmless(agent, agent.replace("9090", "9191")),
        harmless(agent, agent + "  switchover: true\n"),
        harmless(agent, agent + "  orders: {stop: [redis], update: [redis]}\n"),
        harmless(agent, agent + "  orderFallback: {stop: Sequential}\n"),
        harmless(agent, agent + "  taskOrder: [Config, Resources]\n"),
        harmless(agent, agent + "  policies: {Config: {timeout: 5m, maxRetries: 2}}\n"),
        harmless(agent, agent + "  allowedKinds: [{apiVersion: v1, kind: Secret}]\n"),
        harmless("redis:7.2", "redis:7.2-1"),
        harmless(templates, "    supports: [Backup]\n" + templates),
        harmless(
            templates,
            "    actions: [{name: report, description: Reports, parameters: [{name: deep, type: boolean}]}]\n"
                + "    hooks: {afterScale: report}\n"
                + templates),
        harmless(
            templates,
            "    checks: [{name: lags, within: 60s, allOf: [{agent: {ask: lag, role: Replica, cel: 'int(answer) < 5'}}]}]\n"
                + templates));
  }

  private static Difference harmless(String from, String to) {
    return new Difference(from, to, false);
  }

  @ParameterizedTest
  @MethodSource("ofNothingDeployed")
  void shouldShowNoDifferenceWhereThereIsNone(Difference difference) {
    // Given
    deploy();
    create("1.1.0", difference);
    // When
    var answer = plan(upgraded());
    // Then
    assertThat(answer).as("%s", answer).isInstanceOf(PlanAnswer.Planned.class);
    assertThat(values()).isNullOrEmpty();
  }

  @Test
  void shouldAcceptAnImmutableValueThatIsSetToWhatItWasByDefault() {
    // Given
    deploy();
    create("1.1.0", new Difference("dump.rdb", "data.rdb", true));
    // When
    var app =
        cluster.editApp(
            yaml ->
                yaml.replace("version: 1.0.0", "version: 1.1.0")
                    .replace("100mb", "100mb, dbfilename: dump.rdb"));
    // Then
    assertThat(plan(app)).isInstanceOf(PlanAnswer.Planned.class);
  }

  @Test
  void shouldReloadWhatAnotherDefaultOfTheSameVersionChanges() {
    // Given
    deploy();
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    create("1.0.0", new Difference("default: 3, effect: Hot", "default: 5, effect: Hot", false));
    var app = cluster.editApp(yaml -> yaml.replace("cpu: 100m", "cpu: 200m"));
    var plan = ((PlanAnswer.Planned) plan(app)).plan();
    var task =
        new TaskRef(engine.begin(app), "2-config-db", ChangeType.CONFIG, "db")
            .with(plan.pluginRevision());
    // When
    engine.resources().openComponent(task);
    var written = engine.resources().applyGroup(new GroupRef(task, "g"));
    // Then
    assertThat(written)
        .isInstanceOfSatisfying(
            Applied.class,
            applied -> assertThat(applied.statefulSet().orElseThrow().reload()).isTrue());
  }

  @Test
  void shouldRefuseAnEditOfTheSameVersionByWhichAgentsListenElsewhere() {
    // Given
    deploy();
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    create("1.0.0", new Difference("port: 9090", "port: 9191", true));
    // When
    var answer = plan(edited(yaml -> yaml.replace("100mb", "200mb")));
    // Then
    assertThat(((PlanAnswer.Rejected) answer).message())
        .contains("Plugin redis-v1.0.0 was edited")
        .contains(
            "group db/g have agents at port 9090, and new ones would have agents at port 9191")
        .contains("give the edited Plugin a version of its own");
  }

  @Test
  void shouldRefuseAnEditOfAValueThatIsPartOfAName() {
    // Given
    deploy(
        yaml ->
            yaml.replace(
                "kind: StatefulSet\n        metadata: {name: \"${name}",
                "kind: StatefulSet\n        metadata: {name: \"${name}-${config.maxmemory}"));
    // When
    var answer = plan(cluster.editApp(yaml -> yaml.replace("100mb", "200mb")));
    // Then
    assertThat(((PlanAnswer.Rejected) answer).message())
        .contains("StatefulSet cache-db-g-100mb would be replaced by StatefulSet cache-db-g-200mb");
  }

  private void requireSaid(Difference difference, App app) {
    var set = cluster.named(StatefulSet.class, "cache-db-g").get();
    var said =
        switch (plan(app)) {
          case PlanAnswer.Rejected rejected -> {
            assertThat(difference.refused()).as(rejected.message()).isTrue();
            yield rejected.message();
          }
          case PlanAnswer.Planned planned -> {
            assertThat(difference.refused()).as(said(planned)).isFalse();
            assertThat(values())
                .anyMatch(it -> Stream.of(difference.words()).allMatch(it::contains));
            yield said(planned);
          }
          default -> "";
        };
    assertThat(said).contains(difference.words());
    assertThat(cluster.named(StatefulSet.class, "cache-db-g").get()).isEqualTo(set);
  }

  private static String said(PlanAnswer.Planned planned) {
    return planned.plan().tasks().stream()
        .map(ChangeTask::description)
        .collect(Collectors.joining("; "));
  }

  /** What the plan that waits for approval shows. */
  private List<String> values() {
    return cluster.named(App.class, "cache").get().getStatus().plan().values();
  }

  private App upgraded() {
    return edited(yaml -> yaml.replace("version: 1.0.0", "version: 1.1.0"));
  }

  private App edited(UnaryOperator<String> edit) {
    return cluster.editApp(
        yaml -> edit.apply(yaml).replace("spec:", "spec:\n  change: {approval: Manual}"));
  }

  private App deploy() {
    return deploy(UnaryOperator.identity());
  }

  /** As a change of the App does. */
  private App deploy(UnaryOperator<String> edit) {
    cluster.createPlugin(yaml -> edit.apply(base(yaml)));
    var app = cluster.createApp();
    var plan = ((PlanAnswer.Planned) plan(app)).plan();
    var task =
        new TaskRef(engine.begin(app), "1-provision-db", ChangeType.PROVISION, "db")
            .with(plan.pluginRevision());
    engine.resources().openComponent(task);
    engine.resources().applyGroup(new GroupRef(task, "g"));
    engine.resources().settleComponent(task);
    engine = new LocalEngine(cluster); // another process
    return app;
  }

  private void create(String version, Difference difference) {
    cluster.createPlugin(
        yaml -> {
          var base = base(yaml);
          assertThat(base).contains(difference.from());
          return base.replace(difference.from(), difference.to()).replace("1.0.0", version);
        });
  }

  private static String base(String yaml) {
    return yaml.replace("    parameters:\n", PARAMETERS)
        .replace("  runtimes:", "  agent: {port: 9090}\n  runtimes:");
  }

  private PlanAnswer plan(App app) {
    return LocalPlanning.of(engine)
        .plan(new PlanRequest(cluster.change(app, "run-1"), Optional.empty()));
  }
}
