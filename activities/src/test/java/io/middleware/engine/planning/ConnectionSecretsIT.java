package io.middleware.engine.planning;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.resources.LocalWriters;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanAnswer.Rejected;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.TaskRef;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Secrets by which applications connect to an App with a password. */
@ExtendWith(ApiServer.class)
class ConnectionSecretsIT {
  private static final String NAME = "cache-db-g-rw.app";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;

  ConnectionSecretsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
  }

  @BeforeEach
  void createPlugin() {
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                    "    templates:\n",
                    """
                    - {name: password, type: secret, effect: Restart}
                    - {name: certificate, type: secret, effect: Restart}
                    endpoints:
                    - {name: rw, role: Any, port: 6379}
                    - {name: tls, role: Any, port: 6380, tls: certificate}
                    accounts: {requires: password, reserved: [default], privileges: [{name: ReadOnly, rules: "~* +@read"}, {name: Admin, rules: "+@all"}]}
                    connection: {type: redis, username: app, password: password, uri: "redis://{username}:{password}@{host}:{port}", tlsUri: "rediss://{username}@{host}:{port}"}
                    templates:
                """)
                .replace("  componentTypes:", "  agent: {port: 9090}\n  componentTypes:"));
  }

  @Test
  void shouldPublishWhatAClientNeeds() {
    // Given
    var app = cluster.createApp(yaml -> with(yaml, "{generate: 24}"));
    var task = begin(app, ChangeType.PROVISION);
    assertThat(connection()).isEmpty();
    // When
    settle(task);
    // Then
    var secret = connection().orElseThrow();
    var password = text(cluster.named(Secret.class, "cache-db-generated").get(), "password");
    var host = "cache-db-g-rw." + cluster.namespace() + ".svc";
    assertThat(secret.getType()).isEqualTo("servicebinding.io/redis");
    assertThat(texts(secret))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "type", "redis",
                "provider", "redis",
                "host", host,
                "port", "6379",
                "username", "app",
                "password", password,
                "uri", "redis://app:%s@%s:6379".formatted(password, host)));
    assertThat(secret.getMetadata().getOwnerReferences())
        .extracting("kind", "name")
        .containsExactly(tuple("Group", "cache-db-g"));
    assertThat(annotations(Service.class, "cache-db-g-rw")).containsEntry(Labels.CONNECTION, NAME);
    assertThat(cluster.named(Secret.class, "cache-db-g-tls.app").get()).isNull();
    assertThat(everythingElse()).doesNotContain(password, secret.getData().get("password"));
  }

  @Test
  void shouldSayWhomToTrustByTls() {
    // Given
    cluster.create(
        new SecretBuilder()
            .withNewMetadata()
            .withName("cert")
            .endMetadata()
            .withStringData(
                Map.of("tls.crt", "certificate", "tls.key", "key", "ca.crt", "authority"))
            .build());
    // When
    deploy(
        cluster.createApp(
            yaml ->
                with(
                    yaml, "{generate: 24}, certificate: {secretRef: {name: cert, key: tls.crt}}")));
    // Then
    assertThat(texts(cluster.named(Secret.class, "cache-db-g-tls.app").get()))
        .containsEntry("ca.crt", "authority")
        .containsEntry(
            "uri", "rediss://app@cache-db-g-tls.%s.svc:6380".formatted(cluster.namespace()))
        .doesNotContainKey("tls.key");
    assertThat(texts(connection().orElseThrow())).doesNotContainKey("ca.crt");
  }

  @Test
  void shouldEscapeThePasswordInTheAddressOnly() {
    // Given
    write("users", "p@ss:w/ord 1\n");
    // When
    deploy(cluster.createApp(yaml -> with(yaml, "{secretRef: {name: users, key: app}}")));
    // Then
    assertThat(texts(connection().orElseThrow()))
        .containsEntry("password", "p@ss:w/ord 1")
        .hasEntrySatisfying(
            "uri", it -> assertThat(it).startsWith("redis://app:p%40ss%3Aw%2Ford%201@"));
  }

  @Test
  void shouldFollowAChangedPasswordWhenItIsCarriedOut() {
    // Given
    write("users", "first");
    deploy(cluster.createApp(yaml -> with(yaml, "{secretRef: {name: users, key: app}}")));
    awaitNextSecond();
    var task = begin(edit("300mb"), ChangeType.CONFIG);
    awaitNextSecond();
    write("users", "second");
    // When
    settle(task);
    var meanwhile = texts(connection().orElseThrow()).get("password");
    deploy(edit("400mb"), ChangeType.CONFIG);
    // Then
    assertThat(meanwhile).isEqualTo("first");
    assertThat(texts(connection().orElseThrow())).containsEntry("password", "second");
  }

  @Test
  void shouldMakeADeletedOneAgain() {
    // Given
    var app = cluster.createApp(yaml -> with(yaml, "{generate: 24}"));
    deploy(app);
    var before = connection().orElseThrow();
    cluster.named(Secret.class, NAME).delete();
    // When
    deploy(app, ChangeType.REAPPLY);
    // Then
    assertThat(connection().orElseThrow().getData()).isEqualTo(before.getData());
  }

  @Test
  void shouldRefuseTheNameOfAnotherSecretBeforeAnythingIsWritten() {
    // Given
    write(NAME, "theirs");
    var app = cluster.createApp(yaml -> with(yaml, "{generate: 24}"));
    // When Then
    assertThatThrownBy(() -> begin(app, ChangeType.PROVISION))
        .hasMessageContaining("Secret " + cluster.namespace() + "/" + NAME)
        .hasMessageContaining("already exists and does not belong to this group")
        .hasMessageContaining("rename it or delete it");
    assertThat(texts(connection().orElseThrow())).containsOnly(Map.entry("app", "theirs"));
    assertThat(cluster.named(StatefulSet.class, "cache-db-g").get()).isNull();
  }

  @Test
  void shouldNameWhoHasEditedOneByHand() {
    // Given
    var app = cluster.createApp(yaml -> with(yaml, "{generate: 24}"));
    deploy(app);
    edit(NAME, "by hand");
    // When Then
    assertThatThrownBy(() -> deploy(app, ChangeType.CONFIG))
        .hasMessageContaining("conflict with")
        .hasMessageContaining(NAME)
        .hasMessageNotContaining(encoded("by hand"));
    assertThat(texts(connection().orElseThrow())).containsEntry("password", "by hand");
    // and when somebody asks for it
    deploy(app, ChangeType.REAPPLY);
    assertThat(texts(connection().orElseThrow()))
        .containsEntry(
            "password", text(cluster.named(Secret.class, "cache-db-generated").get(), "password"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldMakeOneAgainAfterARotation(boolean deleted) {
    // Given
    var app = cluster.createApp(yaml -> with(yaml, "{generate: 24}"));
    deploy(app);
    awaitNextSecond();
    edit("cache-db-generated", "rotated");
    if (deleted) {
      cluster.named(Secret.class, NAME).delete();
    } else {
      edit(NAME, "by hand");
    }
    // When
    deploy(app, ChangeType.REAPPLY);
    // Then
    assertThat(texts(connection().orElseThrow()))
        .containsEntry("password", "rotated")
        .hasEntrySatisfying("uri", it -> assertThat(it).startsWith("redis://app:rotated@"));
  }

  @Test
  void shouldKeepWhatClientsReadUntilPodsHaveAChangedPassword() {
    // Given
    var app = cluster.createApp(yaml -> with(yaml, "{generate: 24}"));
    deploy(app);
    var before = connection().orElseThrow();
    awaitNextSecond();
    edit("cache-db-generated", "not in the pods yet");
    // When
    deploy(app, ChangeType.REAPPLY);
    // Then
    assertThat(connection().orElseThrow().getData()).isEqualTo(before.getData());
  }

  private void edit(String name, String password) {
    cluster
        .named(Secret.class, name)
        .edit(it -> new SecretBuilder(it).addToData("password", encoded(password)).build());
  }

  @Test
  void shouldTakeItAwayWithThePassword() {
    // Given
    deploy(cluster.editApp(yaml -> with(yaml, "{generate: 24}")));
    assertThat(connection()).isPresent();
    // When
    deploy(cluster.editApp(yaml -> yaml), ChangeType.CONFIG);
    // Then
    assertThat(connection()).isEmpty();
    assertThat(annotations(Service.class, "cache-db-g-rw")).doesNotContainKey(Labels.CONNECTION);
  }

  @Test
  void shouldGiveAnAccountThatTheAppAsksFor() {
    // Given
    deploy(cluster.editApp(yaml -> with(yaml, "{generate: 24}")));
    var before = cluster.named(StatefulSet.class, "cache-db-g").get().getSpec().getTemplate();
    awaitNextSecond();
    // When
    var edited = cluster.editApp(yaml -> withReports(with(yaml, "{generate: 24}"), "ReadOnly"));
    var planned = descriptions(edited);
    deploy(edited, ChangeType.CONFIG);
    // Then
    var password = text(cluster.named(Secret.class, "cache-db-accounts").get(), "reports");
    assertThat(password).hasSize(32);
    assertThat(texts(cluster.named(Secret.class, "cache-db-g.accounts").get()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "reports", password,
                "reports.privileges", "ReadOnly",
                "reports.rules", "~* +@read",
                ".complete", "yes"));
    assertThat(texts(cluster.named(Secret.class, "cache-db-g-rw.reports").get()))
        .containsEntry("username", "reports")
        .containsEntry("password", password);
    assertThat(planned)
        .isEqualTo(
            "account.reports of db: (none) → key reports of Secret cache-db-accounts (hot); account.reports.privileges of db: (none) → ReadOnly (hot)");
    assertThat(cluster.named(StatefulSet.class, "cache-db-g").get().getSpec().getTemplate())
        .isEqualTo(before);
    assertThat(everythingElse()).doesNotContain(password);
    // and when the App asks for it no more
    deploy(cluster.editApp(yaml -> with(yaml, "{generate: 24}")), ChangeType.CONFIG);
    assertThat(texts(cluster.named(Secret.class, "cache-db-g.accounts").get()))
        .containsOnlyKeys(".complete");
    assertThat(cluster.named(Secret.class, "cache-db-g-rw.reports").get()).isNull();
    assertThat(connection()).isPresent();
  }

  @Test
  void shouldRefuseAccountsThatCannotBe() {
    var field = "spec.components[db].accounts";
    assertRefused(
        yaml -> withReports(with(yaml, "{generate: 24}"), "Root"),
        field + "[reports].privileges: there are no privileges Root, only ReadOnly, Admin");
    assertRefused(
        yaml -> withReports(yaml, "ReadOnly"),
        field + ": there can be accounts only with a password of password: set values.password");
    for (var name : List.of("app", "default")) {
      assertRefused(
          yaml -> withReports(with(yaml, "{generate: 24}"), "Admin").replace("reports", name),
          "%s[%s]: this name is reserved: choose another one".formatted(field, name));
    }
    assertRefused(
        yaml ->
            withReports(with(yaml, "{generate: 24}"), "Admin, password: {secretRef: {name: none}}"),
        field + "[reports].password must be {secretRef: {name: …, key: …}}");
    assertRefused(
        yaml ->
            withReports(
                with(yaml, "{generate: 24}"), "Admin, password: {secretRef: {name: n, key: k}}"),
        field + "[reports].password: Secret " + cluster.namespace() + "/n does not exist");
  }

  private void assertRefused(UnaryOperator<String> edit, String message) {
    assertThat(plan(cluster.editApp(edit)))
        .isInstanceOfSatisfying(Rejected.class, it -> assertThat(it.message()).contains(message));
  }

  private static String withReports(String yaml, String privileges) {
    return yaml.replace(
        "    type: redis\n",
        "    type: redis\n    accounts: [{name: reports, privileges: %s}]\n".formatted(privileges));
  }

  private String descriptions(App app) {
    return ((Planned) plan(app))
        .plan().tasks().stream().map(ChangeTask::description).collect(joining("\n"));
  }

  private PlanAnswer plan(App app) {
    var request = new PlanRequest(cluster.change(app, "run-1"), Optional.empty());
    return LocalPlanning.of(engine).plan(request);
  }

  private void deploy(App app) {
    deploy(app, ChangeType.PROVISION);
  }

  private void deploy(App app, ChangeType type) {
    settle(begin(app, type));
  }

  /** All steps of a task but the last one. */
  private TaskRef begin(App app, ChangeType type) {
    assertThat(plan(app)).isInstanceOf(Planned.class);
    var task = writers.open(app, type).task();
    engine.resources().applyGroup(new GroupRef(task, "g"));
    return task;
  }

  private void settle(TaskRef task) {
    engine.resources().settleComponent(task);
  }

  private App edit(String maxmemory) {
    return cluster.editApp(
        yaml -> with(yaml, "{secretRef: {name: users, key: app}}").replace("100mb", maxmemory));
  }

  private static String with(String yaml, String password) {
    return yaml.replace("maxmemory:", "password: " + password + ", maxmemory:");
  }

  private Optional<Secret> connection() {
    return Optional.ofNullable(cluster.named(Secret.class, NAME).get());
  }

  private void write(String name, String password) {
    var secret =
        new SecretBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(cluster.namespace())
            .endMetadata()
            .addToData("app", encoded(password))
            .build();
    cluster.client().resource(secret).createOr(it -> it.update());
  }

  private void awaitNextSecond() {
    var before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    engine.cluster.await().until(() -> Instant.now().isAfter(before.plusSeconds(1)));
  }

  /** All that the engine has written or said, but for Secrets. */
  private String everythingElse() {
    return Stream.of(
            App.class,
            Component.class,
            Group.class,
            ConfigMap.class,
            Service.class,
            StatefulSet.class,
            ControllerRevision.class)
        .flatMap(kind -> cluster.all(kind).stream())
        .map(Serialization::asJson)
        .collect(joining("\n", "", cluster.events() + "\n" + engine.heartbeats));
  }

  private Map<String, String> annotations(Class<? extends HasMetadata> kind, String name) {
    return cluster.named(kind, name).get().getMetadata().getAnnotations();
  }

  private static Map<String, String> texts(Secret secret) {
    var texts = new TreeMap<String, String>();
    secret.getData().keySet().forEach(key -> texts.put(key, text(secret, key)));
    return texts;
  }

  private static String text(Secret secret, String key) {
    return new String(Base64.getDecoder().decode(secret.getData().get(key)), UTF_8);
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }
}
