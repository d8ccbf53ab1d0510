package io.middleware.engine.simulator.host;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.proof.Proves;
import io.middleware.engine.proto.agent.v1.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of the etcd Plugin, with real members and the agent by commands beside each. */
@Proves(
    plugin = "etcd",
    versions = "etcd 3.6",
    what =
        "Members follow their leader, join and leave one by one, spare none while another is away, never begin anew, begin with a backup, and let in only their users.")
class EtcdPluginIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String SERVICE =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: keys, namespace: shop}
      spec: {selector: {app: keys}, publishNotReadyAddresses: true}
      """;

  private static final String FILL =
      """
      #!/bin/sh
      head -c 600000 /dev/zero | tr '\\0' x | etcdctl --endpoints="$ENDPOINT" put big >&2
      """;
  private static final String FREE =
      """
      #!/bin/sh -e
      etcdctl --endpoints="$ENDPOINT" del big
      revision=$(etcdctl --endpoints="$ENDPOINT" endpoint status -w fields | sed -n 's/^"Revision" : //p')
      etcdctl --endpoints="$ENDPOINT" compact --physical "$revision"
      """;

  private static final String AS =
      """
      #!/bin/sh
      [ -z "$PARAM_USER" ] || export ETCDCTL_USER=$PARAM_USER ETCDCTL_PASSWORD=$PARAM_PASSWORD ETCD_CLIENT_DEBUG=fatal
      etcdctl --endpoints="$ENDPOINT" $PARAM_ARGUMENTS 2>&1
      """;
  private static final Map<String, String> PASSWORDS =
      Map.of("password", "of-app", "engine-password", "of-root\n");
  private static final Map<String, String> OTHERS =
      Map.of(
          "password",
          "new-of-app",
          "engine-password",
          "other",
          "engine-password.previous",
          "of-root");
  private static final String REPORTS = "account.reports=ReadOnly keys.accounts/reports";
  private static final String REFUSED = "user name is empty";

  @TempDir Path folder;
  private final Map<String, Pod> pods = new TreeMap<>();
  private EtcdPluginObjects plugin;
  private FakeCluster cluster;
  private PodHost host;
  private int made;

  /** Of the passwords that the next pod mounts. */
  private String secret = "passwords";

  @BeforeEach
  void start() throws IOException {
    plugin = EtcdPluginObjects.read();
    cluster = new FakeCluster();
    cluster.putServices(Serialization.unmarshal(SERVICE, Service.class));
    cluster.putClaim("backups");
    putCommands();
    cluster.putConfigMap("keys-backup-store", Map.of("folder", "/backups"));
    cluster.putConfigMap("keys-config", plugin.config(3, ""));
    var images =
        new ImagePrograms(Map.of("etcd:any", LocalEtcd.withUtility().orElseGet(LocalEtcd::folder)));
    host =
        new PodHost(
            cluster.client(),
            new HostSettings(LocalEtcd.folder().resolve("etcd"), folder, images, true));
  }

  private void putCommands() {
    var commands = new TreeMap<>(plugin.commands());
    commands.put("as", AS);
    commands.put(
        "put",
        "#!/bin/sh -e\netcdctl --endpoints=\"$ENDPOINT\" put \"$PARAM_KEY\" \"$PARAM_VALUE\"");
    commands.put(
        "get",
        "#!/bin/sh -e\netcdctl --endpoints=\"$ENDPOINT\" get --print-value-only \"$PARAM_KEY\"");
    commands.put("fill", FILL);
    commands.put("free", FREE);
    cluster.putConfigMap("keys-commands", commands);
  }

  @AfterEach
  void stop() {
    IntStream.range(0, 5).forEach(this::delete);
    host.close();
    cluster.close();
  }

  @Test
  void shouldFollowItsLeaderAndComeBackWhole() throws Exception {
    // Given
    create(0, 1, 2);
    awaitReady();
    put("a", "1");
    // Then the leader is the last one
    var leader = leader();
    assertThat(order(leader)).hasSize(3).last().isEqualTo(leader);
    assertThat(safeToStop(leader)).isEqualTo("yes");

    // When it switches over
    var successor = others(leader).getFirst();
    assertThat(answers(leader).driver().switchover(Optional.of(successor), (text, percent) -> {}))
        .contains(successor);
    // Then
    await().atMost(PATIENCE).until(() -> successor.equals(leader()));
    assertThat(answers(successor).driver().switchover(Optional.empty(), (text, percent) -> {}))
        .isPresent();
    await().atMost(PATIENCE).until(() -> leader() != null && !successor.equals(leader()));

    // When all members are killed at once
    pods.keySet().forEach(pod -> etcd(pod).destroyForcibly());
    // Then they come back with their data
    awaitReady();
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(get("keys-1", "a")).isEqualTo("1"));
    assertThat(run("keys-1", "defragment").exitCode()).isZero();
    assertThat(run("keys-1", "status").output()).contains("keys-0", "keys-1", "keys-2");
  }

  @Test
  void shouldSpareNoMemberWhileAnotherOneIsAway() throws Exception {
    // Given
    create(0, 1, 2);
    awaitReady();
    var away = others(leader()).getFirst();
    // When one does not answer
    signal("STOP", away);
    // Then no other one may stop, and the reason names it
    for (var pod : others(away)) {
      assertThat(safeToStop(pod)).startsWith("no: " + away + " does not answer");
    }
    assertThat(run(leader(), "defragment").exitCode()).isEqualTo(2);
    // When it goes on
    signal("CONT", away);
    // Then
    for (var pod : others(away)) {
      await().atMost(PATIENCE).until(() -> safeToStop(pod).equals("yes"));
    }
    // When its pod is gone
    delete(Integer.parseInt(away.substring("keys-".length())));
    // Then
    for (var pod : pods.keySet()) {
      assertThat(safeToStop(pod)).startsWith("no: " + away + " does not answer");
    }
  }

  @Test
  void shouldTakeWritesAgainOnceThereIsRoom() throws Exception {
    // Given
    var config = new TreeMap<>(plugin.config(3, ""));
    config.put("flags", "--log-level=warn\n--quota-backend-bytes=1000000\n");
    cluster.putConfigMap("keys-config", config);
    create(0, 1, 2);
    awaitReady();
    // When the data reach their limit
    await().atMost(PATIENCE).until(() -> run("keys-0", "fill").output().contains("exceeded"));
    // Then all members serve on, and say what is missing
    awaitReady();
    assertThat(run("keys-1", "status").output()).contains("NOSPACE");
    assertThat(safeToStop("keys-1")).isEqualTo("yes");
    // When keys are deleted, and their space is given back
    assertThat(run("keys-0", "free").exitCode()).isZero();
    for (var pod : pods.keySet()) {
      assertDone(pod, "defragment", pod);
    }
    assertDone(leader(), "disarm", "");
    // Then
    put("a", "1");
    assertThat(get("keys-2", "a")).isEqualTo("1");
    assertThat(answers("keys-0").driver().measure("storage")).matches("3[.][56]");
  }

  @Test
  void shouldJoinAndLeaveOneByOne() throws Exception {
    // Given
    create(0, 1, 2);
    awaitReady();
    put("a", "1");
    // When two more join
    for (var number : List.of(3, 4)) {
      var pod = "keys-" + number;
      // etcd takes none before all members have been connected for 5 s
      await().atMost(PATIENCE).untilAsserted(() -> assertDone(leader(), "join", pod));
      assertDone(leader(), "join", pod);
      cluster.putConfigMap("keys-config", plugin.config(number + 1, ""));
      create(number);
      awaitReady();
      await().atMost(PATIENCE).untilAsserted(() -> assertDone(pod, "joined", pod));
      assertThat(get(pod, "a")).isEqualTo("1");
      await().atMost(PATIENCE).until(() -> safeToStop("keys-0").equals("yes"));
    }
    // and one leaves, whose process ends before its pod does
    await().atMost(PATIENCE).untilAsserted(() -> assertDone("keys-1", "leave", "keys-4"));
    assertDone("keys-1", "leave", "keys-4");
    awaitLog("keys-4", "the cluster has removed keys-4");
    // Then it does not come back by itself
    assertThat(run("keys-0", "status").output()).contains("keys-3").doesNotContain("keys-4");
    assertThat(safeToStop("keys-0")).isEqualTo("yes");
  }

  @Test
  void shouldNotBeginAnewWithAnEmptyVolume() throws Exception {
    // Given
    create(0, 1, 2);
    awaitReady();
    put("a", "1");
    // When the first one loses its volume, and the others are away
    IntStream.range(0, 3).forEach(this::delete);
    lose("data-keys-0");
    create(0);
    // Then it waits
    awaitLog("keys-0", "waits for the cluster");
    assertThat(folder.resolve("volumes/data-keys-0/etcd")).doesNotExist();
    // When they come back
    create(1, 2);
    // Then it is a new member, with their data
    awaitLog("keys-0", "it becomes a new member");
    awaitReady();
    await().atMost(PATIENCE).until(() -> safeToStop("keys-1").equals("yes"));
    assertThat(get("keys-0", "a")).isEqualTo("1");
  }

  @Test
  void shouldBeginWithABackup() throws Exception {
    assumeTrue(LocalEtcd.withUtility().isPresent(), "there is no etcdutl");
    // Given
    create(0, 1, 2);
    awaitReady();
    put("a", "1");
    var backup = run("keys-1", "backup", Map.of("key", "shop/keys.db"));
    assertThat(backup.exitCode()).as(backup.output()).isZero();
    var checksum = backup.values().get("checksum");
    assertThat(
            run("keys-2", "verify-backup", Map.of("key", "shop/keys.db", "checksum", checksum))
                .exitCode())
        .isZero();
    // When a new group begins with it
    IntStream.range(0, 3).forEach(this::delete);
    for (var number : List.of(0, 1, 2)) {
      lose("data-keys-" + number);
    }
    cluster.putConfigMap(
        "keys-config", plugin.config(3, "key shop/keys.db\nchecksum %s\n".formatted(checksum)));
    create(0, 1, 2);
    // Then
    awaitReady();
    assertThat(get("keys-2", "a")).isEqualTo("1");
  }

  @Test
  void shouldLetInOnlyItsUsersOnceAllPodsHavePasswords() throws Exception {
    // Given members without passwords
    create(0, 1, 2);
    awaitReady();
    put("a", "1");
    // When they get passwords, one after the other
    givePasswords();
    // Then clients come in with a password and without
    awaitAs("app", "of-app", "put a 2", "OK");
    assertThat(as("", "", "put a 3")).isEqualTo("OK");
    // When nobody is to come in without
    reload("anonymous=no");
    // Then
    assertThat(as("", "", "get a")).contains(REFUSED);
    assertThat(as("app", "of-root", "get a")).contains("authentication failed");
    assertThat(as("app", "of-app", "put a 4")).isEqualTo("OK");
    assertThat(as("app", "of-app", "user list")).contains("permission denied");
    // and all that the engine asks for works
    assertThatTheEngineGetsIn();
    // When everybody may come in again
    reload("anonymous=yes");
    // Then
    assertThat(as("", "", "put a 5")).isEqualTo("OK");
  }

  /** One pod after the other. */
  private void givePasswords() throws Exception {
    plugin = plugin.withPasswords();
    putCommands();
    cluster.putSecret("passwords", PASSWORDS);
    for (var number : List.of(0, 1, 2)) {
      delete(number);
      create(number);
      awaitReady();
      await().atMost(PATIENCE).until(() -> safeToStop("keys-0").equals("yes"));
    }
  }

  private void assertThatTheEngineGetsIn() throws Exception {
    awaitReady();
    var leader = leader();
    assertThat(order(leader)).hasSize(3).last().isEqualTo(leader);
    assertThat(safeToStop(leader)).isEqualTo("yes");
    assertThat(answers(leader).driver().measure("storage")).matches("3[.][56]");
    assertThat(answers(leader).driver().switchover(Optional.empty(), (text, percent) -> {}))
        .isPresent();
    assertThat(run("keys-1", "status").output()).contains("keys-0", "keys-1", "keys-2");
    assertThat(run("keys-2", "defragment").exitCode()).isZero();
    await().atMost(PATIENCE).untilAsserted(() -> assertDone("keys-1", "join", "keys-3"));
    cluster.putConfigMap("keys-config", plugin.config(4, ""));
    create(3);
    awaitReady();
    await().atMost(PATIENCE).untilAsserted(() -> assertDone("keys-3", "joined", "keys-3"));
    await().atMost(PATIENCE).untilAsserted(() -> assertDone("keys-1", "leave", "keys-3"));
    delete(3);
  }

  @Test
  void shouldHaveTheUsersThatTheAppAsksFor() throws Exception {
    // Given a new group that lets in only its users
    plugin = plugin.withPasswords();
    putCommands();
    cluster.putSecret("passwords", PASSWORDS);
    putAccounts("reports", "read:", "jobs", "readwrite:{name}/", "boss", "root");
    cluster.putConfigMap("keys-config", closed());
    create(0, 1, 2);
    awaitReady();
    awaitUsers();
    assertThatEachHasItsPrivileges();
    // When a member loses its volume
    delete(0);
    lose("data-keys-0");
    create(0);
    // Then it comes back as a new one
    awaitReady();
    await().atMost(PATIENCE).until(() -> safeToStop("keys-1").equals("yes"));
    // When one account is gone, and the pods have it in their files still
    reload("anonymous=no", REPORTS, "account.boss=Admin keys.accounts/boss");
    // Then nobody logs in as it; those of others are left alone
    assertThat(as("jobs", "of-jobs", "get jobs/1")).contains("authentication failed");
    assertThat(as("root", "of-root", "user list")).isEqualTo("app\nboss\nmine\nreports\nroot");
    // When others have other privileges
    putAccounts("reports", "readwrite:", "boss", "readwrite:{name}/");
    awaitFile("secrets-of-app/boss.rules", "readwrite:{name}/");
    reload("anonymous=no", REPORTS, "account.boss=OwnKeys keys.accounts/boss");
    // Then they count
    assertThat(as("root", "of-root", "role list"))
        .isEqualTo("app=readwrite:\nboss=readwrite:boss/\nreports=readwrite:\nroot=root");
    assertThat(as("reports", "of-reports", "put a 2")).isEqualTo("OK");
    assertThat(as("boss", "of-boss", "user list")).contains("permission denied");
    // When the Secret is deleted
    cluster.putSecret("keys.accounts", Map.of("other", ""));
    awaitFile("secrets-of-app/other", "");
    reload("anonymous=no");
    // Then they stay
    assertThat(as("reports", "of-reports", "get a")).isEqualTo("a\n2");
  }

  private void assertThatEachHasItsPrivileges() throws Exception {
    assertThat(as("", "", "get a")).contains(REFUSED);
    assertThat(as("app", "of-app", "put a 1")).isEqualTo("OK");
    assertThat(as("reports", "of-reports", "get a")).isEqualTo("a\n1");
    assertThat(as("reports", "of-reports", "put a 2")).contains("permission denied");
    assertThat(as("jobs", "of-jobs", "put jobs/1 2")).isEqualTo("OK");
    assertThat(as("jobs", "of-jobs", "get a")).contains("permission denied");
    assertThat(as("boss", "of-boss", "user list")).contains("app", "boss", "jobs", "reports");
    assertThat(as("boss", "of-boss", "user add mine:x")).contains("created");
  }

  @Test
  void shouldTakeOtherPasswords() throws Exception {
    // Given
    plugin = plugin.withPasswords();
    putCommands();
    cluster.putSecret("passwords", PASSWORDS);
    cluster.putConfigMap("keys-config", closed());
    create(0, 1, 2);
    awaitReady();
    awaitUsers();
    assertThat(as("", "", "get a")).contains(REFUSED);
    // When root gets another one, and nobody says which it had
    cluster.putSecret("passwords", Map.of("password", "of-app", "engine-password", "other"));
    awaitFile("secrets/accounts/engine-password", "other");
    // Then the change is refused, and says what is missing
    assertThatThrownBy(() -> reload("anonymous=no")).hasMessageContaining(".previous");
    // When it is there
    cluster.putSecret("passwords", OTHERS);
    awaitFile("secrets/previous/engine-password", "of-root");
    assertThat(safeToStop("keys-1")).isEqualTo("yes");
    reload("anonymous=no");
    // Then both are in force
    assertThat(as("root", "of-root", "user list")).contains("authentication failed");
    assertThat(as("root", "other", "user list")).isEqualTo("app\nroot");
    assertThat(as("app", "of-app", "get a")).contains("authentication failed");
    assertThat(as("app", "new-of-app", "put a 1")).isEqualTo("OK");
    restoreWithOtherPasswords();
  }

  @Test
  void shouldKeepPasswordsUntilAllPodsHaveOthers() throws Exception {
    // Given
    plugin = plugin.withPasswords();
    putCommands();
    cluster.putSecret("passwords", PASSWORDS);
    cluster.putConfigMap("keys-config", closed());
    create(0, 1, 2);
    awaitReady();
    awaitUsers();
    // When one pod has another Secret, and starts with an account more
    cluster.putSecret("others", OTHERS);
    putAccounts("reports", "read:");
    replaceBy("others", 0);
    awaitAs("root", "of-root", "user list", "app\nreports\nroot");
    // Then those that know the earlier one get in
    assertThat(as("app", "of-app", "put a 1")).isEqualTo("OK");
    assertThat(safeToStop("keys-0")).isEqualTo("yes");
    assertThat(safeToStop("keys-1")).isEqualTo("yes");
    // When all have it
    replaceBy("others", 1);
    replaceBy("others", 2);
    reload("anonymous=no", REPORTS);
    // Then it counts
    assertThat(as("app", "new-of-app", "get a")).isEqualTo("a\n1");
    assertThat(as("app", "of-app", "get a")).contains("authentication failed");
    assertThat(as("root", "other", "user list")).isEqualTo("app\nreports\nroot");
  }

  private void replaceBy(String passwords, int number) {
    secret = passwords;
    delete(number);
    create(number);
    awaitReady();
  }

  /** The data come back in another App, which has passwords of its own. */
  private void restoreWithOtherPasswords() throws Exception {
    assumeTrue(LocalEtcd.withUtility().isPresent(), "there is no etcdutl");
    var backup = run("keys-1", "backup", Map.of("key", "shop/keys.db"));
    assertThat(backup.exitCode()).as(backup.output()).isZero();
    IntStream.range(0, 3).forEach(this::delete);
    for (var number : List.of(0, 1, 2)) {
      lose("data-keys-" + number);
    }
    cluster.putSecret("passwords", Map.of("password", "third", "engine-password", "root3"));
    var checksum = backup.values().get("checksum");
    cluster.putConfigMap(
        "keys-config", plugin.config(3, "key shop/keys.db\nchecksum %s\n".formatted(checksum)));
    create(0, 1, 2);
    // Then no member serves while nobody knows the earlier one
    awaitLog("keys-0", "with .previous behind it");
    await().atMost(PATIENCE).until(() -> restarts("keys-0") > 0);
    // When it is there
    IntStream.range(0, 3).forEach(this::delete);
    cluster.putSecret(
        "passwords",
        Map.of(
            "password", "third", "engine-password", "root3", "engine-password.previous", "other"));
    create(0, 1, 2);
    // Then these count, and everybody may come in, as the App does not say otherwise
    awaitReady();
    awaitUsers();
    assertThat(as("", "", "get a")).isEqualTo("a\n1");
    reload("anonymous=no");
    awaitAs("app", "third", "get a", "a\n1");
    assertThat(as("root", "root3", "user list")).isEqualTo("app\nroot");
  }

  /** Until each member has done what it does at the start of a cluster. */
  private void awaitUsers() {
    for (var pod : pods.keySet()) {
      for (var note : List.of("new", "restored")) {
        var begins = folder.resolve("volumes/data-%s/%s".formatted(pod, note));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(begins).doesNotExist());
      }
    }
  }

  /** A group of three members that lets in only its users. */
  private Map<String, String> closed() {
    var config = new TreeMap<>(plugin.config(3, ""));
    config.put("anonymous", "no");
    return config;
  }

  /** Names and rules, in turn. */
  private void putAccounts(String... accounts) {
    var data = new TreeMap<>(Map.of(".complete", ""));
    for (var at = 0; at < accounts.length; at += 2) {
      data.put(accounts[at], "of-" + accounts[at]);
      data.put(accounts[at] + ".privileges", "any");
      data.put(accounts[at] + ".rules", accounts[at + 1]);
    }
    cluster.putSecret("keys.accounts", data);
  }

  /** As the engine, which asks again where it is not known whether it was done. */
  private void reload(String... values) {
    var parameters =
        Stream.of(values)
            .map(value -> value.split("=", 2))
            .collect(toMap(value -> value[0], value -> value[1]));
    for (var pod : pods.keySet()) {
      await()
          .atMost(PATIENCE)
          .ignoreExceptionsMatching(
              e -> Status.fromThrowable(e).getCode() == Status.Code.UNAVAILABLE)
          .until(
              () -> answers(pod).driver().reload(parameters, (text, percent) -> {}),
              parameters::equals);
    }
  }

  /** Until each pod has a Secret as it is now. */
  private void awaitFile(String file, String content) {
    for (var pod : pods.values()) {
      var path = folder.resolve("run/" + pod.getMetadata().getUid()).resolve(file);
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(path).content().isEqualTo(content));
    }
  }

  private String as(String user, String password, String arguments) throws InterruptedException {
    var parameters = Map.of("user", user, "password", password, "arguments", arguments);
    return run("keys-2", "as", parameters).output().strip();
  }

  private void awaitAs(String user, String password, String arguments, String answer) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(as(user, password, arguments)).isEqualTo(answer));
  }

  private void create(int... numbers) {
    for (var number : numbers) {
      cluster.putClaim("data-keys-" + number);
      cluster.forget("keys-" + number);
      var pod =
          plugin.pod(number, LocalRedis.address(8, number + 1), "uid-" + number + "-" + made++);
      pod.getSpec().getVolumes().stream()
          .filter(volume -> volume.getName().equals("secrets"))
          .flatMap(volume -> volume.getProjected().getSources().stream())
          .forEach(source -> source.getSecret().setName(secret));
      pods.put("keys-" + number, pod);
    }
    observe();
  }

  private void delete(int number) {
    var name = "keys-" + number;
    if (!pods.containsKey(name)) {
      return;
    }
    pods.computeIfPresent(
        name,
        (key, pod) ->
            new PodBuilder(pod)
                .editMetadata()
                .withDeletionTimestamp("now")
                .withDeletionGracePeriodSeconds(0L)
                .endMetadata()
                .build());
    observe();
    await().atMost(PATIENCE).until(() -> cluster.isDeleted(name));
    pods.remove(name);
    observe();
  }

  private void lose(String claim) throws IOException {
    try (var files = Files.walk(folder.resolve("volumes").resolve(claim))) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Hands the pods back, as the watch does. */
  private void observe() {
    host.changed("keys", pods().toList());
  }

  private Stream<Pod> pods() {
    return pods.entrySet().stream()
        .map(
            pod ->
                pod.getValue().isMarkedForDeletion()
                    ? pod.getValue()
                    : cluster.pod(pod.getKey()).orElse(pod.getValue()));
  }

  private void awaitReady() {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              observe();
              return pods().allMatch(PodApi::isReady) && leader() != null;
            });
  }

  private void awaitLog(String pod, String words) {
    var log = folder.resolve("log/shop_%s.log".formatted(pod));
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(log).content().contains(words));
  }

  private String leader() {
    return pods.keySet().stream()
        .filter(pod -> role(pod).equals(Optional.of("primary")))
        .findFirst()
        .orElse(null);
  }

  private List<String> others(String pod) {
    return pods.keySet().stream().filter(other -> !other.equals(pod)).toList();
  }

  private Optional<String> role(String pod) {
    try {
      return Optional.of(answers(pod).role());
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    }
  }

  private List<String> order(String pod) {
    return answers(pod).podOrder(Scenario.SCENARIO_UPGRADE, List.copyOf(pods.keySet())).names();
  }

  /** Asked again as the engine does, while there is no answer in time. */
  private String safeToStop(String pod) {
    return await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(e -> Status.fromThrowable(e).getCode() == Status.Code.UNAVAILABLE)
        .until(() -> answers(pod).driver().measure("safe-to-stop"), answer -> true);
  }

  private AgentAnswers answers(String pod) {
    return host.answers(pods.get(pod).getMetadata().getUid()).orElseThrow();
  }

  private void put(String key, String value) throws InterruptedException {
    assertThat(run("keys-0", "put", Map.of("key", key, "value", value)).exitCode()).isZero();
  }

  private String get(String pod, String key) throws InterruptedException {
    return run(pod, "get", Map.of("key", key)).output().strip();
  }

  private void assertDone(String pod, String action, String member) throws InterruptedException {
    var output = run(pod, action, Map.of("member", member, "members", "4"));
    assertThat(output.exitCode()).as(output.output()).isZero();
  }

  private ActionOutput run(String pod, String action) throws InterruptedException {
    return run(pod, action, Map.of());
  }

  private ActionOutput run(String pod, String action, Map<String, String> parameters)
      throws InterruptedException {
    var request = new ActionRequest(action, parameters, Duration.ZERO, PATIENCE);
    return answers(pod).driver().runAction(request, (text, percent) -> {});
  }

  private ProcessHandle etcd(String pod) {
    var uid = pods.get(pod).getMetadata().getUid();
    var process = folder.resolve("run/" + uid + "/.containers/etcd/process");
    return new ContainerProcess(process, folder).first().orElseThrow();
  }

  private int restarts(String pod) {
    return cluster.pod(pod).orElseThrow().getStatus().getContainerStatuses().stream()
        .mapToInt(ContainerStatus::getRestartCount)
        .max()
        .orElse(0);
  }

  private void signal(String name, String pod) throws Exception {
    new ProcessBuilder("kill", "-" + name, String.valueOf(etcd(pod).pid())).start().waitFor();
  }
}
