package io.middleware.engine.planning;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.resources.LocalWriters;
import io.middleware.engine.activities.secrets.KubernetesSecretActivities;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.SecretActivities.LookedUpApp;
import io.middleware.engine.workflows.port.SecretActivities.LookedUpSecret;
import io.middleware.engine.workflows.port.SecretActivities.SecretLook;
import io.middleware.engine.workflows.port.SecretActivities.SecretState;
import io.middleware.engine.workflows.port.SecretActivities.SecretsSeen;
import io.middleware.engine.workflows.port.SecretActivities.SeenSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An App whose password stands in a Secret that it names, or that is made for it. */
@ExtendWith(ApiServer.class)
class SecretParametersIT {
  private static final String GENERATED = "{generate: 24}";
  private static final String NAMED = "{secretRef: {name: users, key: app}}";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;
  private final KubernetesPlanningActivities activities;

  SecretParametersIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
    this.activities = LocalPlanning.of(engine);
  }

  @BeforeEach
  void createPlugin() {
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                    "    templates:\n",
                    "    - {name: password, type: secret, effect: Restart}\n"
                        + "    - {name: second, type: secret, effect: Restart}\n    templates:\n")
                .replace(
                    "data: {maxmemory: \"${config.maxmemory}\"}",
                    "data: {maxmemory: \"${config.maxmemory}\", users: \"${secrets.?password.?name}\","
                        + " key: \"${secrets.?password.?key}\", version: \"${secrets.?password.?version}\"}"));
  }

  @Test
  void shouldGenerateAValueThatStandsNowhereElse() {
    // When
    var app = deploy(cluster.createApp(yaml -> with(yaml, GENERATED)));
    // Then
    var secret = cluster.named(Secret.class, "cache-db-generated").get();
    var value = value(secret, "password");
    assertThat(value).matches("[A-Za-z0-9]{24}");
    assertThat(secret.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(app.getMetadata().getUid()));
    assertThat(rendered())
        .containsEntry("users", "cache-db-generated")
        .containsEntry("key", "password")
        .hasEntrySatisfying("version", it -> assertThat(it).endsWith("Z"));
    assertThat(everythingElse())
        .contains("cache-db-generated")
        .doesNotContain(value)
        .doesNotContain(secret.getData().get("password"));
  }

  @Test
  void shouldKeepWhatIsThere() {
    // Given
    create("cache-db-generated", Map.of("password", "chosen-by-hand"));
    // When
    deploy(cluster.createApp(yaml -> with(yaml, GENERATED)));
    var edited = cluster.editApp(yaml -> with(yaml, "{generate: 48}").replace("100mb", "200mb"));
    var answer = plan(edited);
    writers.open(edited, ChangeType.CONFIG);
    // Then
    assertThat(value(cluster.named(Secret.class, "cache-db-generated").get(), "password"))
        .isEqualTo("chosen-by-hand");
    assertThat(descriptions(answer))
        .singleElement()
        .asString()
        .contains("maxmemory")
        .doesNotContain("password");
  }

  @Test
  void shouldAddAValueToASecretThatLacksIt() {
    // Given
    create("cache-db-generated", Map.of("other", "kept"));
    // When
    deploy(cluster.createApp(yaml -> with(yaml, GENERATED)));
    // Then
    var secret = cluster.named(Secret.class, "cache-db-generated").get();
    assertThat(value(secret, "other")).isEqualTo("kept");
    assertThat(value(secret, "password")).hasSize(24);
  }

  @Test
  void shouldTakeValuesThatAreMadeTogetherForUnchanged() {
    // Given an earlier Secret with one of them
    create("cache-db-generated", Map.of("password", "kept"));
    var before = now();
    engine.cluster.await().until(() -> !now().equals(before));
    var both = GENERATED + ", second: " + GENERATED;
    // When
    deploy(cluster.createApp(yaml -> with(yaml, both)));
    // Then
    assertThat(value(cluster.named(Secret.class, "cache-db-generated").get(), "second"))
        .hasSize(24);
    assertThat(descriptions(plan(cluster.editApp(yaml -> with(yaml, both))))).isEmpty();
  }

  @Test
  void shouldPlanTheSampleOfRedisWithPasswords() throws IOException {
    // Given
    var folder = Path.of("../plugins/redis");
    cluster.create(Plugin.class, Files.readString(folder.resolve("plugin.yaml")));
    // When
    var app = cluster.create(App.class, Files.readString(folder.resolve("app-passwords.yaml")));
    // Then
    assertThat(descriptions(plan(app))).isNotEmpty();
  }

  @Test
  void shouldMakeAValueThatAnotherComponentNames() {
    // Given
    var named = "password: {secretRef: {name: cache-db-generated, key: password}}";
    var other = "  - {name: other, type: redis, values: {%s}, groups: [{name: g, replicas: 0}]}\n";
    // When
    var answer =
        plan(
            cluster.createApp(
                yaml ->
                    with(yaml, GENERATED)
                        .replace("  components:\n", "  components:\n" + other.formatted(named))
                        .replace("replicas: 0}", "replicas: 0, storage: {size: 1Gi}}")));
    // Then
    assertThat(answer).isInstanceOf(Planned.class);
  }

  @Test
  void shouldKeepWhereThePodsMayRun() {
    // Given
    var placement =
        """
        replicas: 2, spread: zone, nodeSelector: {disk: nvme}, priorityClassName: databases,
        tolerations: [{key: dedicated, operator: Exists}], imagePullSecrets: [{name: registry}],
        topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: ScheduleAnyway}],
        podLabels: {team: shop}, podAnnotations: {note: kept}
        """;
    // When
    deploy(
        cluster.createApp(
            yaml -> yaml.replace("replicas: 2", placement.strip().replace("\n", " "))));
    // Then
    var template = cluster.named(StatefulSet.class, "cache-db-g").get().getSpec().getTemplate();
    var pod = template.getSpec();
    assertThat(pod.getTopologySpreadConstraints())
        .extracting(TopologySpreadConstraint::getTopologyKey)
        .containsExactlyInAnyOrder("topology.kubernetes.io/zone", "rack");
    assertThat(pod.getNodeSelector()).containsEntry("disk", "nvme");
    assertThat(pod.getPriorityClassName()).isEqualTo("databases");
    assertThat(pod.getTolerations())
        .singleElement()
        .hasFieldOrPropertyWithValue("key", "dedicated");
    assertThat(pod.getImagePullSecrets()).extracting("name").containsExactly("registry");
    assertThat(template.getMetadata().getLabels()).containsEntry("team", "shop");
    assertThat(template.getMetadata().getAnnotations()).containsEntry("note", "kept");
  }

  @Test
  void shouldRefuseWhatIsMissing() {
    var app = cluster.createApp(yaml -> with(yaml, NAMED));
    var field = "spec.components[db].values.password: Secret " + cluster.namespace() + "/users ";
    // When Then
    assertRejected(app, field + "does not exist: create it with a value under key app");
    create("users", Map.of("root", "s3cret-of-root"));
    assertRejected(app, field + "has no key app: add it");
    write("users", Map.of("app", ""));
    assertRejected(app, field + "has an empty value under key app: give it one");
    assertThat(plan(cluster.editApp(yaml -> stopped(with(yaml, NAMED)))))
        .isInstanceOf(Planned.class);
  }

  @Test
  void shouldRefuseAValueInTheAppWithoutQuotingIt() {
    // When
    for (var value : List.of("s3cret-of-app", "{generate: 8}", "{value: s3cret-of-app}")) {
      var answer = plan(cluster.editApp(yaml -> with(yaml, value)));
      // Then
      assertThat(answer)
          .isInstanceOfSatisfying(
              Rejected.class,
              it ->
                  assertThat(it.message())
                      .contains(
                          "password must be {secretRef: {name: …, key: …}}, or {generate: 32}")
                      .doesNotContain("s3cret"));
    }
  }

  @Test
  void shouldCarryOutAChangeOfTheSecret() {
    // Given
    create("users", Map.of("app", "s3cret-of-app"));
    deploy(cluster.createApp(yaml -> with(yaml, NAMED)));
    var unchanged = plan(edit());
    var before = rendered().get("version");
    engine.cluster.await().until(() -> !now().equals(before));
    write("users", Map.of("app", "another-s3cret"));
    // When
    var edited = edit();
    var answer = plan(edited);
    deploy(edited, ChangeType.CONFIG);
    // Then
    assertThat(descriptions(unchanged)).isEmpty();
    assertThat(descriptions(answer))
        .singleElement()
        .isEqualTo("password of db: key app of Secret users has changed (restart)");
    assertThat(rendered().get("version")).isNotEqualTo(before);
    assertThat(descriptions(plan(edit()))).isEmpty();
    assertThat(everythingElse()).doesNotContain("s3cret");
  }

  @Test
  void shouldSayWhichSecretsAreThereWithoutAnyValue() {
    // Given
    create("users", Map.of("app", "s3cret-of-app", "empty", ""));
    deploy(cluster.createApp(yaml -> with(yaml, NAMED)));
    // When
    var seen =
        look(
                app(Optional.of("nobody"), "users app"),
                app(Optional.empty(), "users app", "users app,admin", "users empty", "none app"))
            .secrets();
    // Then: that an account may not read is not believed at once
    var full = "Secret %s/".formatted(cluster.namespace());
    assertThat(seen)
        .extracting(SeenSecret::state, SeenSecret::text)
        .containsExactly(
            tuple(SecretState.FOUND, rendered().get("version")),
            tuple(SecretState.MISSING, full + "users has no key admin: add it"),
            tuple(
                SecretState.MISSING,
                full + "users has an empty value under key empty: give it one"),
            tuple(
                SecretState.MISSING,
                full + "none does not exist: create it with a value under key app"));
  }

  private SecretsSeen look(LookedUpApp... apps) {
    return new KubernetesSecretActivities(new AppSecrets(engine.writers), InstantSource.system())
        .look(new SecretLook("", "middleware-system", List.of(apps)));
  }

  private LookedUpApp app(Optional<String> account, String... secrets) {
    var all =
        Stream.of(secrets)
            .map(it -> it.split(" "))
            .map(it -> new LookedUpSecret(it[0], List.of(it[1].split(","))))
            .toList();
    return new LookedUpApp(cluster.namespace(), "cache", account, all);
  }

  private App deploy(App app) {
    deploy(app, ChangeType.PROVISION);
    return app;
  }

  private void deploy(App app, ChangeType type) {
    assertThat(plan(app)).isInstanceOf(Planned.class);
    var task = writers.open(app, type).task();
    engine.resources().applyGroup(new GroupRef(task, "g"));
    engine.resources().settleComponent(task);
  }

  /** Brings the App to its planner again, unchanged. */
  private App edit() {
    return cluster.editApp(yaml -> with(yaml, NAMED));
  }

  private static String with(String yaml, String password) {
    return yaml.replace("maxmemory:", "password: " + password + ", maxmemory:");
  }

  private static String stopped(String yaml) {
    return yaml.replace("spec:\n", "spec:\n  state: Stopped\n");
  }

  private void create(String name, Map<String, String> values) {
    Secret secret =
        new SecretBuilder()
            .withNewMetadata()
            .withName(name)
            .endMetadata()
            .withStringData(values)
            .build();
    cluster.create(secret);
  }

  private void write(String name, Map<String, String> values) {
    cluster
        .named(Secret.class, name)
        .edit(secret -> new SecretBuilder(secret).addToStringData(values).build());
  }

  private static String value(Secret secret, String key) {
    return new String(Base64.getDecoder().decode(secret.getData().get(key)), UTF_8);
  }

  private Map<String, String> rendered() {
    return cluster.named(ConfigMap.class, "cache-db-g-config").get().getData();
  }

  /** All that the engine has written or said, but for Secrets. */
  private String everythingElse() {
    return Stream.of(
            App.class,
            Component.class,
            Group.class,
            ConfigMap.class,
            StatefulSet.class,
            ControllerRevision.class)
        .flatMap(kind -> cluster.all(kind).stream())
        .map(Serialization::asJson)
        .collect(joining("\n", "", cluster.events() + "\n" + engine.heartbeats));
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private PlanAnswer plan(App app) {
    return activities.plan(new PlanRequest(cluster.change(app, "run-1"), Optional.empty()));
  }

  private void assertRejected(App app, String message) {
    assertThat(plan(app))
        .isInstanceOfSatisfying(Rejected.class, it -> assertThat(it.message()).contains(message));
  }

  private static List<String> descriptions(PlanAnswer answer) {
    assertThat(answer).isInstanceOf(Planned.class);
    return ((Planned) answer).plan().tasks().stream().map(ChangeTask::description).toList();
  }
}
