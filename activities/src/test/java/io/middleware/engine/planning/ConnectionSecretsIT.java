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
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.TaskRef;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

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
                    endpoints:
                    - {name: rw, role: Any, port: 6379}
                    connection: {type: redis, username: app, password: password, uri: "redis://{username}:{password}@{host}:{port}"}
                    templates:
                """));
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
    assertThat(everythingElse()).doesNotContain(password, secret.getData().get("password"));
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
    cluster
        .named(Secret.class, NAME)
        .edit(it -> new SecretBuilder(it).addToData("password", encoded("by hand")).build());
    // When Then
    assertThatThrownBy(() -> deploy(app, ChangeType.REAPPLY))
        .hasMessageContaining("conflict with")
        .hasMessageContaining(NAME)
        .hasMessageNotContaining(encoded("by hand"));
    assertThat(texts(connection().orElseThrow())).containsEntry("password", "by hand");
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

  private void deploy(App app) {
    deploy(app, ChangeType.PROVISION);
  }

  private void deploy(App app, ChangeType type) {
    settle(begin(app, type));
  }

  /** All steps of a task but the last one. */
  private TaskRef begin(App app, ChangeType type) {
    var request = new PlanRequest(cluster.change(app, "run-1"), Optional.empty());
    assertThat(LocalPlanning.of(engine).plan(request)).isInstanceOf(Planned.class);
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
