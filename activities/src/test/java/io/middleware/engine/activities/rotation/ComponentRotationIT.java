package io.middleware.engine.activities.rotation;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.SampleObjects.set;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.pods.PodEvictor;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StepReporter;
import io.middleware.engine.activities.pods.StopChecks;
import io.middleware.engine.activities.resources.LocalWriters;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The password of two servers is rotated. A client reads it before each login. */
@ExtendWith(ApiServer.class)
class ComponentRotationIT {
  private static final String GENERATED = "cache-db-generated";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final AgentChannels channels = new AgentChannels(name -> null);
  private final FakeView view = new FakeView();
  private final List<FakeAgent> agents = new ArrayList<>();
  private final List<RotatingServer> servers = new ArrayList<>();
  private final List<String> refused = new CopyOnWriteArrayList<>();
  private TaskRef task;

  ComponentRotationIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void start() throws IOException {
    agents.add(new FakeAgent("127.0.0.13", 0));
    agents.add(new FakeAgent("127.0.0.14", agents.getFirst().port()));
    view.sets.add(set(2, 1));
    view.pods.add(readyAt("db-0", "new", "127.0.0.13"));
    view.pods.add(readyAt("db-1", "new", "127.0.0.14"));
    var agent = "  agent: {port: %d}\n".formatted(agents.getFirst().port());
    cluster.createPlugin(
        yaml ->
            yaml.replace(
                    "    templates:\n",
                    """
                        - {name: password, type: secret, effect: Hot, rotates: true}
                        endpoints:
                        - {name: rw, role: Any, port: 6379}
                        connection: {type: redis, username: app, password: password}
                        templates:
                    """)
                .replace("  componentTypes:\n", agent + "  componentTypes:\n"));
  }

  @AfterEach
  void stop() {
    channels.close();
    agents.forEach(FakeAgent::close);
  }

  @Test
  void shouldLetClientsInAtEachMoment() {
    // Given
    begin("{generate: 24}", GENERATED);
    var first = secret(GENERATED).get("password");
    servers.get(1).delay = 2;
    servers.forEach(server -> server.before = this::refuse);
    // When
    rotation().publish();
    // Then
    var published = secret(GENERATED);
    assertThat(published.get("password")).matches("[A-Za-z0-9]{24}").isNotEqualTo(first);
    assertThat(published).containsOnlyKeys("password", "password.previous");
    assertThat(secret("cache-db-g-rw.app")).containsEntry("password", published.get("password"));
    assertThat(servers)
        .allSatisfy(
            it ->
                assertThat(it.accepted)
                    .containsExactlyInAnyOrder(first, published.get("password")));
    // When
    rotation().retire();
    // Then
    assertThat(secret(GENERATED)).containsOnlyKeys("password");
    assertThat(servers)
        .allSatisfy(it -> assertThat(it.accepted).containsExactly(published.get("password")));
    assertThat(refused).isEmpty();
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .filteredOn(event -> event.getReason().equals("SecretsPublished"))
                    .singleElement()
                    .extracting("note")
                    .isEqualTo(
                        "key password of Secret cache-db-generated has a new value, because Operation once (RotateSecrets) asks for it"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"accept", "use", "retire"})
  void shouldGoOnAfterItDied(String step) {
    // Given
    begin("{generate: 24}", GENERATED);
    var first = secret(GENERATED).get("password");
    servers.get(1).before =
        it -> {
          if (it.equals(step)) {
            throw new IllegalStateException("it dies");
          }
        };
    // When
    assertThatThrownBy(this::rotate).isInstanceOf(ApplicationFailure.class);
    var inTheMiddle = secret(GENERATED);
    servers.get(1).before = it -> {};
    rotate();
    // Then
    var last = secret(GENERATED);
    assertThat(last).containsOnlyKeys("password");
    assertThat(last.get("password"))
        .isNotEqualTo(first)
        .isEqualTo(inTheMiddle.getOrDefault("password.next", inTheMiddle.get("password")));
    assertThat(servers)
        .allSatisfy(it -> assertThat(it.accepted).containsExactly(last.get("password")));
  }

  @Test
  void shouldNotPublishWhatSomebodyHasWrittenMeanwhile() {
    // Given
    begin("{generate: 24}", GENERATED);
    var changes = new ArrayList<>(List.of("by-hand"));
    servers.get(1).before =
        step -> {
          if (step.equals("accept")
              && secret(GENERATED).containsKey("password.next")
              && !changes.isEmpty()) {
            write(GENERATED, Map.of("password.next", changes.removeFirst()));
          }
        };
    // When
    rotation().publish();
    // Then
    assertThat(secret(GENERATED).get("password")).isEqualTo("by-hand");
    assertThat(servers).allSatisfy(it -> assertThat(it.accepted).contains("by-hand"));
  }

  @Test
  void shouldFollowASecretOfOthersAndNotWriteIt() {
    // Given
    create("users", Map.of("password", "first"));
    begin("{secretRef: {name: users, key: password}}", "users");
    write("users", Map.of("password", "second"));
    var before = cluster.named(Secret.class, "users").get();
    // When
    rotate();
    // Then
    assertThat(cluster.named(Secret.class, "users").get()).isEqualTo(before);
    assertThat(servers).allSatisfy(it -> assertThat(it.accepted).containsExactly("second"));
  }

  @Test
  void shouldSayWhichSecretIsMissing() {
    // Given
    begin("{generate: 24}", GENERATED);
    cluster.named(Secret.class, GENERATED).delete();
    // When Then
    assertThatThrownBy(this::rotate)
        .hasMessageContaining(
            "Secret %s/%s does not exist".formatted(cluster.namespace(), GENERATED));
  }

  private void rotate() {
    rotation().publish();
    rotation().retire();
  }

  private ComponentRotation rotation() {
    var context =
        new PodStepContext(
            view,
            engine.waiter,
            engine.gate,
            new PodEvictor(cluster.client(), engine.writers),
            new StepReporter(
                engine.events, new ActionProgressWriter(engine.status, engine.secrets)),
            StopChecks.NONE);
    return new ComponentRotation(
        context,
        new SecretUsers(cluster.client(), engine.plugins),
        new AgentActions(channels, new AgentPolicy(Duration.ofSeconds(5), 1, 1024)),
        new AppSecrets(engine.writers),
        engine.resources().connections(),
        task);
  }

  private void begin(String password, String secret) {
    var app =
        cluster.createApp(
            yaml -> yaml.replace("maxmemory:", "password: " + password + ", maxmemory:"));
    var provision = new LocalWriters(engine).open(app, ChangeType.PROVISION).task();
    engine.resources().applyGroup(new GroupRef(provision, "g"));
    engine.resources().settleComponent(provision);
    var operation = new Operation();
    operation.setMetadata(new ObjectMetaBuilder().withName("once").build());
    operation.setSpec(
        new OperationSpec(
            "cache", OperationAction.ROTATE_SECRETS, null, null, null, null, 60, false));
    var uid = cluster.create(operation).getMetadata().getUid();
    cluster.patchStatus(
        "{\"operation\": {\"name\": \"once\", \"uid\": \"%s\", \"runId\": \"%s\"}}"
            .formatted(uid, provision.change().runId()));
    var change =
        provision
            .change()
            .of(Optional.of(new OperationRef("once", uid, OperationAction.ROTATE_SECRETS)));
    task = new TaskRef(change, "1-once-db", ChangeType.ROTATE_SECRETS, "db");
    agents.forEach(agent -> servers.add(new RotatingServer(agent, () -> secret(secret))));
  }

  /** At each question: with what is published then, a client logs in everywhere. */
  private void refuse(String step) {
    var read = secret(GENERATED).get("password");
    if (!servers.stream().allMatch(it -> it.accepted.contains(read))) {
      refused.add(step);
    }
  }

  private Map<String, String> secret(String name) {
    var values = new TreeMap<String, String>();
    cluster
        .named(Secret.class, name)
        .get()
        .getData()
        .forEach(
            (key, text) -> values.put(key, new String(Base64.getDecoder().decode(text), UTF_8)));
    return values;
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
}
