package io.middleware.engine.agent.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.account.Password;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group of real Redis servers that gets passwords while clients use it. */
class RedisAccountsIT {
  private static final String ENGINE = "engine \"s3cret\" \\ é";
  private static final String APP = "s3cret-of-app";

  @TempDir private Path folder;
  private final RedisClient client = RedisClient.create();
  private Path mounted;
  private RealGroup group;

  @BeforeEach
  void start() throws IOException {
    mounted = Files.createDirectories(folder.resolve("mounted"));
    Files.createDirectories(mounted.resolve("accounts"));
    var memory = Files.createDirectories(folder.resolve("memory"));
    mount("accounts/default", ENGINE + "\n");
    mount("accounts/app", APP);
    mount("anonymous", "yes");
    group =
        new RealGroup(
            folder, new AccountFiles(Optional.of(mounted), Optional.of(memory)), Optional.empty());
  }

  @AfterEach
  void stop() {
    client.shutdown();
    group.close();
  }

  @Test
  void shouldRefuseClientsWithoutAPasswordFromTheReloadOn() {
    // Given
    var earlier = connect(0, Optional.empty(), "");
    awaitLogin(0, APP);
    earlier.set("a", "1");
    // When
    close();
    // Then
    earlier.set("b", "2");
    assertThat(connect(0, Optional.of("app"), APP).get("b")).isEqualTo("2");
    assertThat(connect(0, Optional.of("app"), APP).role().getFirst()).isEqualTo("master");
    assertThat(answer(0, "GET b")).startsWith("-NOAUTH");
    assertThat(answer(0, "AUTH app wrong")).startsWith("-WRONGPASS");
    assertThatThrownBy(() -> connect(0, Optional.of("app"), APP).configGet("masterauth"))
        .hasMessageContaining("NOPERM");
  }

  @Test
  void shouldFormANewGroupThatIsClosedFromTheBeginning() throws IOException {
    // Given
    group.close();
    mount("anonymous", "no");
    var accounts = new AccountFiles(Optional.of(mounted));
    var own = accounts.engine().orElseThrow();
    // When
    group =
        new RealGroup(
            Files.createDirectories(folder.resolve("closed")),
            accounts,
            Optional.empty(),
            "--masteruser",
            "default",
            "--masterauth",
            own.text(),
            "--user",
            "default",
            "on",
            "#" + own.hash(),
            "~*",
            "&*",
            "+@all");
    // Then
    assertThat(answer(0, "GET b")).startsWith("-NOAUTH");
    awaitLogin(0, APP);
  }

  @Test
  void shouldSwitchOverAndReplicateWithPasswords() throws Exception {
    // Given
    awaitLogin(0, APP);
    close();
    // When
    group.drivers.get(0).switchover(Optional.of("db-1"), (message, percent) -> {});
    // Then
    awaitReplicas(1);
    connect(1, Optional.of("app"), APP).set("a", "1");
    await()
        .untilAsserted(
            () -> assertThat(connect(2, Optional.of("app"), APP).get("a")).isEqualTo("1"));
  }

  @Test
  void shouldCloseAServerAgainThatHasStartedOpen() {
    // Given
    awaitLogin(0, APP);
    close();
    // When
    group.processes.get(2).stop();
    group.processes.get(2).start();
    // Then
    await()
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(answer(2, "PING")).startsWith("-NOAUTH"));
    awaitReplicas(0);
  }

  @Test
  void shouldTakeBothPasswordsAfterAChange() {
    // Given
    awaitLogin(0, APP);
    close();
    // When
    mount("accounts/app", "another-s3cret");
    mount("accounts/default", "another-engine");
    // Then
    awaitLogin(0, "another-s3cret");
    awaitLogin(0, APP);
    awaitReplicas(0);
  }

  @Test
  void shouldTakeAllPasswordsOfARotationFromTheCloseOn() throws IOException {
    // Given: nothing but the reload changes its accounts
    Files.createDirectories(mounted.resolve("next"));
    mount("next/default", "next-engine");
    var files = new AccountFiles(Optional.of(mounted));
    var peer = new RedisPeer("alone-0", "127.88.7.2", RealGroup.freePort());
    var peers = new RealGroup.Fixed(List.of(), new AtomicInteger(1));
    var data = Files.createDirectories(folder.resolve("alone"));
    try (var process = RealRedis.of(peer, data);
        var servers = new RedisServers().with(files)) {
      var identity = RealGroup.identity("alone-0");
      var alone = new RedisGroup(identity, peer.host(), peer.port(), peers, servers);
      await().ignoreExceptions().untilAsserted(alone.self()::promote);
      // When
      new RedisAccounts(alone, Optional.of(data)).reload(new HashMap<>(Map.of("anonymous", "no")));
      // Then
      assertThat(alone.self().accounts().get("default"))
          .contains(new Password("next-engine").hash(), new Password(ENGINE).hash())
          .doesNotContain("nopass");
    }
  }

  @Test
  void shouldOpenAgain() {
    // Given
    awaitLogin(0, APP);
    close();
    // When
    mount("anonymous", "yes");
    group.drivers.forEach(driver -> reload(driver, "yes"));
    // Then
    assertThat(connect(0, Optional.empty(), "").ping()).isEqualTo("PONG");
    assertThat(folder.resolve("db-0/.closed-to-anonymous")).doesNotExist();
  }

  @Test
  void shouldCloseAServerThatHasStartedByAnOlderFile() throws IOException {
    // Given
    awaitLogin(0, APP);
    close();
    // When the start of the container has read the file of before
    group.processes.get(2).stop();
    Files.delete(folder.resolve("db-2/.closed-to-anonymous"));
    group.processes.get(2).start();
    // Then
    await()
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(answer(2, "PING")).startsWith("-NOAUTH"));
    assertThat(folder.resolve("db-2/.closed-to-anonymous")).exists();
  }

  @Test
  void shouldLeaveAccountsOfOthersAlone() {
    // Given
    var others = connect(0, Optional.empty(), "");
    others.aclSetuser("reports", io.lettuce.core.AclSetuserArgs.Builder.on().addPassword("theirs"));
    // When
    awaitLogin(0, APP);
    close();
    // Then
    assertThat(others.aclList().stream().filter(it -> it.contains("user reports")).toList())
        .singleElement()
        .asString()
        .contains(" on ");
  }

  @Test
  void shouldFailOverByASentinelThatLogsIn() throws IOException {
    // Given
    awaitLogin(0, APP);
    close();
    var address = new Address("127.88.1.1", RealGroup.freePort());
    var settings =
        new SentinelSettings(
            List.of("db"), Map.of("quorum", "1", "down-after-milliseconds", "3000"));
    var hosts = group.peers.stream().map(RedisPeer::host).toList();
    var cluster =
        new SentinelWatch.Cluster(
            service -> service.equals("db") ? hosts : List.of(address.host()),
            RealGroup.NAMESPACE,
            "sentinels",
            group.peers.getFirst().port(),
            group.servers);
    var watch =
        new SentinelWatch("sentinel-0", address.host(), address.port(), () -> settings, cluster);
    var sentinel = new SentinelServer(group.servers, address);
    var scheduler = Executors.newSingleThreadScheduledExecutor();
    try (var process = RealRedis.sentinel(address, folder.resolve("sentinel"))) {
      scheduler.scheduleWithFixedDelay(watch::maintain, 0, 500, TimeUnit.MILLISECONDS);
      await().ignoreExceptions().until(() -> sentinel.replicas("db").size() == 2);
      // When
      group.processes.get(0).kill();
      // Then
      assertThat(group.awaitPrimaryBut(0)).isPositive();
    } finally {
      scheduler.shutdownNow();
    }
  }

  @Test
  void shouldShowNoPassword() throws IOException {
    // When
    awaitLogin(0, APP);
    close();
    // Then
    assertThat(new AccountFiles(Optional.of(mounted)).passwords().toString())
        .isEqualTo("{app=(not shown), default=(not shown)}");
    assertThat(logs()).isNotEmpty().doesNotContain("s3cret");
  }

  private String logs() {
    return IntStream.range(0, RealGroup.SIZE)
        .mapToObj(i -> folder.resolve("db-" + i + "/log"))
        .map(
            log -> {
              try {
                return Files.readString(log);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .collect(joining());
  }

  private void close() {
    mount("anonymous", "no");
    group.drivers.forEach(driver -> reload(driver, "no"));
  }

  private static void reload(RedisDriver driver, String anonymous) {
    try {
      assertThat(
              driver.reload(
                  Map.of("anonymous", anonymous, "password", "cache/password@1", "timeout", "0"),
                  (message, percent) -> {}))
          .containsEntry("anonymous", anonymous)
          .containsEntry("timeout", "0");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitLogin(int number, String password) {
    await()
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(connect(number, Optional.of("app"), password).ping()).isEqualTo("PONG"));
  }

  private void awaitReplicas(int primary) {
    await()
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(connect(primary, Optional.of("app"), APP).info("replication"))
                    .contains("role:master")
                    .containsPattern("(?s)state=online.*state=online"));
  }

  private RedisCommands<String, String> connect(
      int number, Optional<String> account, String password) {
    var peer = group.peers.get(number);
    var uri = RedisURI.builder().withHost(peer.host()).withPort(peer.port());
    account.ifPresent(name -> uri.withAuthentication(name, password));
    return client.connect(uri.build()).sync();
  }

  /** Of a server that is told nothing before. */
  private String answer(int number, String command) {
    var peer = group.peers.get(number);
    try (var socket = new Socket(peer.host(), peer.port())) {
      socket.getOutputStream().write((command + "\r\n").getBytes(UTF_8));
      return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void mount(String file, String content) {
    try {
      Files.writeString(mounted.resolve(file), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
