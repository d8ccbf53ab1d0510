package io.middleware.engine.agent.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.StatusRuntimeException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.account.Password;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A closed group of real Redis servers whose passwords are rotated step by step. */
class PasswordRotationIT {
  private static final String SALT = "of-this-question";

  @TempDir private Path folder;
  private final RedisClient client = RedisClient.create();
  private final Map<String, String> mounted = new TreeMap<>();
  private AccountFiles files;
  private RealGroup group;

  @BeforeEach
  void start() throws IOException {
    mount("accounts/app", "app-1");
    mount("accounts/default", "engine-1");
    mount("anonymous", "no");
    files =
        new AccountFiles(
            Optional.of(folder.resolve("mounted")),
            Optional.of(Files.createDirectories(folder.resolve("memory"))));
    group =
        new RealGroup(Files.createDirectories(folder.resolve("servers")), files, Optional.empty());
    group.drivers.forEach(this::close);
  }

  @AfterEach
  void stop() {
    client.shutdown();
    group.close();
  }

  @Test
  void shouldAcceptBothUntilTheEarlierOneIsRetired() {
    // When the next one is added
    mount("next/app", "app-2");
    mount("next/default", "engine-2");
    awaitStep("accept");
    // Then
    assertLogins("app", true, "app-1", "app-2");
    assertLogins("default", true, "engine-1", "engine-2");
    // When it is published
    publish();
    awaitStep("use");
    // Then
    assertLogins("app", true, "app-1", "app-2");
    // When the earlier one is taken away
    remove("previous/app");
    remove("previous/default");
    awaitStep("retire");
    // Then
    assertLogins("app", true, "app-2");
    assertLogins("default", true, "engine-2");
    assertLogins("app", false, "app-1");
    assertLogins("default", false, "engine-1");
    assertReplicating();
  }

  @Test
  void shouldNotTakeAStepWithOlderFiles() {
    // Given
    mount("next/app", "app-2");
    awaitStep("accept");
    // When the engine means what the pods do not have yet
    var asked = request("retire", Map.of("password", digest("app-2", "", "")));
    // Then
    assertThat(run(group.drivers.getFirst(), asked))
        .satisfies(it -> assertThat(it.exitCode()).isEqualTo(75))
        .satisfies(
            it ->
                assertThat(it.output())
                    .isEqualTo("its files do not have the changed password yet"));
    assertLogins("app", true, "app-1", "app-2");
  }

  @Test
  void shouldStartAgainWithinARotation() {
    // Given
    mount("next/app", "app-2");
    mount("next/default", "engine-2");
    awaitStep("accept");
    publish();
    // When
    group.processes.get(2).stop();
    group.processes.get(2).start();
    // Then
    awaitStep("use");
    assertLogins("app", true, "app-1", "app-2");
    assertReplicating();
  }

  @Test
  void shouldKeepClientsThatAreConnected() {
    // Given
    try (var connection = client.connect(uri(group.peers.getFirst(), "app", "app-1"))) {
      // When
      mount("next/app", "app-2");
      awaitStep("accept");
      publish();
      remove("previous/app");
      awaitStep("retire");
      // Then
      assertThat(connection.sync().set("a", "1")).isEqualTo("OK");
    }
  }

  @Test
  void shouldRotateThoseOfValkey() throws IOException {
    // Given
    var peer = new RedisPeer("vk-0", "127.88.0.9", RealGroup.freePort());
    try (var servers = new RedisServers().with(files);
        var process = RealRedis.valkey(peer, folder)) {
      var peers = new RealGroup.Fixed(List.of(peer), new AtomicInteger(1));
      var identity = RealGroup.identity(peer.pod());
      var own = new RedisGroup(identity, peer.host(), peer.port(), peers, servers);
      var driver = new RedisDriver(own, Optional.empty(), Optional.empty());
      await().ignoreExceptions().untilAsserted(() -> own.self().promote());
      close(driver);
      // When
      mount("next/app", "app-2");
      mount("next/default", "engine-2");
      awaitStep(driver, "accept");
      publish();
      awaitStep(driver, "use");
      // Then
      assertThat(logsIn(peer, "app", "app-1")).isTrue();
      assertThat(logsIn(peer, "default", "engine-2")).isTrue();
      // When
      remove("previous/app");
      remove("previous/default");
      awaitStep(driver, "retire");
      // Then
      assertThat(logsIn(peer, "app", "app-2")).isTrue();
      assertThat(logsIn(peer, "app", "app-1")).isFalse();
      assertThat(logsIn(peer, "default", "engine-1")).isFalse();
    }
  }

  @Test
  void shouldTellSentinel() throws IOException, InterruptedException {
    // Given
    var address = new Address("127.88.1.1", RealGroup.freePort());
    var settings = new SentinelSettings(List.of("db"), Map.of("quorum", "1"));
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
    var driver = new SentinelDriver(watch);
    try (var process = RealRedis.sentinel(address, folder.resolve("sentinel"))) {
      await().ignoreExceptions().until(watch::maintain);
      mount("next/default", "engine-2");
      awaitStep("accept");
      publish();
      // When it is asked before its next check
      var use = request("use", digests());
      var before = driver.runAction(use, (message, percent) -> {});
      // Then
      assertThat(before.output()).isEqualTo("Sentinel logs in to group db with another password");
      await()
          .until(
              () -> {
                watch.maintain();
                return driver.runAction(use, (message, percent) -> {}).exitCode() == 0;
              });
    }
  }

  private void close(RedisDriver driver) {
    try {
      driver.reload(Map.of("anonymous", "no"), (message, percent) -> {});
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As the Secret changes at once. */
  private void publish() {
    for (var account : List.of("app", "default")) {
      var next = mounted.get("next/" + account);
      if (next != null) {
        mount("previous/" + account, mounted.get("accounts/" + account));
        mount("accounts/" + account, next);
        remove("next/" + account);
      }
    }
  }

  private void awaitStep(String step) {
    group.drivers.forEach(driver -> awaitStep(driver, step));
  }

  private void awaitStep(RedisDriver driver, String step) {
    await()
        .ignoreExceptionsInstanceOf(StatusRuntimeException.class)
        .untilAsserted(
            () ->
                assertThat(run(driver, request(step, digests())))
                    .extracting(ActionOutput::output)
                    .isEqualTo(""));
  }

  private static ActionOutput run(RedisDriver driver, ActionRequest request) {
    try {
      return driver.runAction(request, (message, percent) -> {});
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ActionRequest request(String step, Map<String, String> digests) {
    var parameters = new TreeMap<>(digests);
    parameters.put("step", step);
    parameters.put("salt", SALT);
    return new ActionRequest("rotate-passwords", parameters, Duration.ZERO, Duration.ZERO);
  }

  private Map<String, String> digests() {
    return Map.of("password", digest("app"), "engine-password", digest("default"));
  }

  private String digest(String account) {
    return digest(
        mounted.get("accounts/" + account),
        mounted.getOrDefault("next/" + account, ""),
        mounted.getOrDefault("previous/" + account, ""));
  }

  private static String digest(String current, String next, String previous) {
    var text = String.join("\0", SALT, current, next, previous, "");
    return new Password(text).hash();
  }

  private void assertLogins(String account, boolean accepted, String... passwords) {
    for (var i = 0; i < RealGroup.SIZE; i++) {
      for (var password : passwords) {
        assertThat(logsIn(group.peers.get(i), account, password))
            .as("%s with %s on %d", account, password, i)
            .isEqualTo(accepted);
      }
    }
  }

  private static boolean logsIn(RedisPeer peer, String account, String password) {
    try (var socket = new Socket(peer.host(), peer.port())) {
      socket.getOutputStream().write("AUTH %s %s\r\n".formatted(account, password).getBytes(UTF_8));
      var answer =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
      assertThat(answer).containsAnyOf("+OK", "-WRONGPASS");
      return answer.equals("+OK");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertReplicating() {
    await()
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              try (var connection =
                  client.connect(
                      uri(group.peers.getFirst(), "default", mounted.get("accounts/default")))) {
                assertThat(connection.sync().info("replication"))
                    .contains("role:master")
                    .containsPattern("(?s)state=online.*state=online");
              }
            });
  }

  private static RedisURI uri(RedisPeer peer, String account, String password) {
    return RedisURI.builder()
        .withHost(peer.host())
        .withPort(peer.port())
        .withAuthentication(account, password)
        .build();
  }

  private void mount(String file, String content) {
    try {
      var path = folder.resolve("mounted").resolve(file);
      Files.createDirectories(path.getParent());
      Files.writeString(path, content);
      mounted.put(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void remove(String file) {
    try {
      Files.deleteIfExists(folder.resolve("mounted").resolve(file));
      mounted.remove(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
