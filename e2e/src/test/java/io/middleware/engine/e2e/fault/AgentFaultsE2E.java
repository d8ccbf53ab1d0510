package io.middleware.engine.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Upgrades of three pods each, whose agents misbehave. */
@EndToEnd
class AgentFaultsE2E {
  private static final String TASK = "2-versionupgrade-sentinel";
  private static final String SECRET = "e2e-agents";
  private static final String TLS = "1.0.5";
  private static final String ELECTION = "election";
  private static final String FOREIGN = "wrong-certificate";
  private static final String DEAD = "dead";
  private static final String LIAR = "unknown-pod";
  private static final String BREAKS_OFF = "switchover-hangs-up";
  private static final List<String> OF_ALL = List.of(DEAD, FOREIGN, LIAR);
  private static final List<String> OF_FIRST = List.of(DEAD, BREAKS_OFF);

  private static Shop shop;
  private static AuditLog upgrade;
  private static PodDiary diary;

  /** All at once, as most of it is waiting. */
  @BeforeAll
  static void upgradeAll(Shop own) {
    shop = own;
    makeSecret();
    shop.applyPlugin(tlsPlugin());
    var apps = Stream.concat(OF_ALL.stream(), OF_FIRST.stream().map(AgentFaultsE2E::withFirst));
    var names = apps.toList();
    names.forEach(name -> shop.apply(app(name)));
    names.forEach(shop::awaitReady);
    names.stream().filter(name -> !name.equals(FOREIGN)).forEach(AgentFaultsE2E::awaitPrimary);
    OF_ALL.forEach(fault -> annotate(fault, "-l", Labels.APP + "=" + fault));
    OF_FIRST.forEach(fault -> annotate(fault, pods(withFirst(fault), 0).getFirst()));
    diary = new PodDiary(shop.client, shop.namespace);
    upgrade = AuditLog.fromNow();
    names.forEach(name -> shop.apply(app(name).replace("\"7.0\"", "\"7.2\"")));
  }

  private static void awaitPrimary(String app) {
    await("primary of " + app).until(() -> !shop.primaries(app + "-sentinel-all").isEmpty());
  }

  @AfterAll
  static void close() {
    diary.close();
    deleteSecret();
  }

  @ParameterizedTest
  @CsvSource({"dead, connection refused", "wrong-certificate, TLS: "})
  void shouldGoByNameWhenNoAgentOfAGroupCanBeHeard(String fault, String why) {
    // When
    var app = shop.awaitReady(fault);
    // Then
    assertThat(Shop.condition(app, "OrderDegraded")).as("its change has ended").isEmpty();
    assertThat(shop.events(fault, "OrderDegraded"))
        .isNotEmpty()
        .last()
        .satisfies(
            degraded -> {
              System.out.println(fault + ": " + degraded.getMessage());
              assertThat(degraded.getMessage())
                  .contains("the agent of pod %s-sentinel-all-".formatted(fault))
                  .containsPattern("\\(127\\.[0-9.]+:9090\\) failed to answer GetPodOrder: " + why)
                  .doesNotContainPattern("exception|closed=\\[\\]|;;")
                  .endsWith("fallback for upgrade: in name order" + last(fault));
            });
    if (fault.equals(FOREIGN)) {
      assertThatItWentOneByOne(fault, 0, 1, 2);
    } else {
      assertThatItWentOneByOne(fault, 1, 2, 0);
    }
  }

  /** The watcher, too, never heard the agents that show a foreign certificate. */
  private static String last(String fault) {
    return fault.equals(FOREIGN)
        ? ""
        : ", the last known primary %s last".formatted(pods(fault, 0).getFirst());
  }

  @Test
  void shouldWaitForTheEndOfAnElection() {
    // Given
    shop.apply(app(ELECTION));
    shop.awaitReady(ELECTION);
    annotate("unavailable", "-l", Labels.APP + "=" + ELECTION);
    // When
    shop.apply(app(ELECTION).replace("\"7.0\"", "\"7.2\""));
    shop.awaitApp(
        ELECTION,
        app ->
            Optional.ofNullable(app.getStatus().change().progress())
                .filter(text -> text.contains("waiting for the agents' order of the pods of all: "))
                .filter(text -> text.contains("UNAVAILABLE: fault set on the pod"))
                .isPresent());
    annotate("none", "--overwrite", "-l", Labels.APP + "=" + ELECTION);
    // Then
    var app = shop.awaitReady(ELECTION);
    assertThat(Shop.condition(app, "OrderDegraded")).isEmpty();
    assertThat(restarts(ELECTION)).isEqualTo(pods(ELECTION, 1, 2, 0));
  }

  @Test
  void shouldAskTheNextWhenTheFirstCannotBeHeard() {
    // Given number 0, which is asked first and is the primary
    var name = withFirst(DEAD);
    // When
    var app = shop.awaitReady(name);
    // Then
    assertThat(Shop.condition(app, "OrderDegraded")).isEmpty();
    assertThatItWentOneByOne(name, 1, 2, 0);
  }

  @Test
  void shouldTouchNothingWhenAnAgentLies() {
    // When
    var task = shop.awaitTask(LIAR, TASK, "Failed");
    // Then
    System.out.println(LIAR + ": " + task.error().message());
    assertThat(task.error().reason()).isEqualTo("InvalidOrder");
    assertThat(task.error().message())
        .as("any agent may be the one that answers first on a busy machine")
        .containsPattern("^the agent of pod %s-sentinel-all-[0-2] ".formatted(LIAR));
    assertThat(task.attempts()).isEqualTo(1);
    assertThat(restarts(LIAR)).isEmpty();
  }

  @Test
  void shouldNotTouchAPrimaryWhoseSwitchoverBreaksOff() {
    // Given
    var name = withFirst(BREAKS_OFF);
    // When
    var task = shop.awaitTask(name, TASK, "Failed");
    // Then
    System.out.println(name + ": " + task.error().message());
    assertThat(task.error().reason()).isEqualTo("AgentsUnavailable");
    assertThat(task.error().message())
        .contains("pod %s-sentinel-all-0 is the primary and has not switched over".formatted(name))
        .contains("the connection was lost");
    assertThat(restarts(name)).isEqualTo(pods(name, 1, 2));
  }

  /** A simulated node may take the same pod twice, which is no deed of the engine. */
  private static void assertThatItWentOneByOne(String app, int... numbers) {
    assertThat(restarts(app)).isEqualTo(pods(app, numbers));
    assertThat(diary.firstTimes().stream().filter(line -> line.startsWith(app + "-sentinel-")))
        .containsExactlyElementsOf(
            pods(app, numbers).stream()
                .flatMap(pod -> Stream.of(pod + " leaves", pod + " ready"))
                .toList());
  }

  private static List<String> restarts(String app) {
    return upgrade.restarts(shop.namespace).stream()
        .filter(pod -> pod.startsWith(app + "-sentinel-"))
        .toList();
  }

  private static List<String> pods(String app, int... numbers) {
    return IntStream.of(numbers).mapToObj(number -> app + "-sentinel-all-" + number).toList();
  }

  /** The App of which only pod 0 has the fault. */
  private static String withFirst(String fault) {
    return "first-" + fault;
  }

  private static Yaml app(String name) {
    return shop.small(name)
        .replace("replicas: 1", "replicas: 3")
        .replace("version: 1.0.0", "version: " + (name.equals(FOREIGN) ? TLS : "1.0.0"))
        .plus("  change: {maxRetries: 1}\n");
  }

  private static void annotate(String fault, String... pods) {
    shop.annotatePods("agent.local.middleware.io/fault=" + fault, pods);
  }

  /** The sample Plugin under another version, whose agents are to show a certificate. */
  private static Yaml tlsPlugin() {
    return shop.sample("plugin-redis.yaml")
        .replace("redis-v1.0.0", "redis-v" + TLS)
        .replace("version: 1.0.0", "version: " + TLS)
        .replace("agent: {port: 9090}", "agent: {port: 9090, tls: {secretName: " + SECRET + "}}");
  }

  /** The local authority's, which has signed no agent's certificate; the engine may read it. */
  private static void makeSecret() {
    deleteSecret();
    var pki = Path.of(Engine.variable("INSTANCE_DIR"), "pki");
    shop.kubectl(
        "",
        "create",
        "secret",
        "generic",
        SECRET,
        "-n",
        "middleware-system",
        "--from-file=ca.crt=" + pki.resolve("ca.crt"),
        "--from-file=tls.crt=" + pki.resolve("admin.crt"),
        "--from-file=tls.key=" + pki.resolve("admin.key"));
    shop.kubectl(
        "",
        "create",
        "role",
        SECRET,
        "-n",
        "middleware-system",
        "--verb=get",
        "--resource=secrets",
        "--resource-name=" + SECRET);
    shop.kubectl(
        "",
        "create",
        "rolebinding",
        SECRET,
        "-n",
        "middleware-system",
        "--role=" + SECRET,
        "--serviceaccount=middleware-system:middleware-worker",
        "--serviceaccount=middleware-system:middleware-watcher");
  }

  private static void deleteSecret() {
    for (var kind : List.of("rolebinding", "role", "secret")) {
      shop.kubectl("", "delete", kind, SECRET, "-n", "middleware-system", "--ignore-not-found");
    }
  }
}
