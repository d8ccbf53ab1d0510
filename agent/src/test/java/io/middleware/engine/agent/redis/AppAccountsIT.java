package io.middleware.engine.agent.redis;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.middleware.engine.agent.account.AppAccounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The accounts that an App asks for, on a real Redis and a real Valkey. */
class AppAccountsIT {
  private static final String PASSWORD = "s3cret-of-reports";

  @TempDir private Path folder;
  private final RedisClient client = RedisClient.create();
  private final RedisServers servers = new RedisServers();
  private RedisPeer peer;
  private AppAccounts accounts;
  private Map<String, String> rules;

  @BeforeEach
  void read() throws IOException {
    peer = new RedisPeer("db-0", "127.88.7.1", RealGroup.freePort());
    Files.createDirectories(folder.resolve("of-app"));
    Files.createDirectories(folder.resolve("memory"));
    accounts =
        new AppAccounts(
            Optional.of(folder.resolve("of-app")), Optional.of(folder.resolve("memory")));
    var plugin = Files.readString(Path.of("../plugins/redis/plugin.yaml"));
    rules =
        Pattern.compile("- \\{name: (\\w+), rules: \"(.*)\"}")
            .matcher(plugin)
            .results()
            .collect(toMap(it -> it.group(1), it -> it.group(2)));
  }

  @AfterEach
  void close() {
    servers.close();
    client.shutdown();
  }

  @Test
  void shouldHoldThePrivilegesOnRedis() throws IOException {
    assertHoldsPrivileges((own, data) -> RealRedis.of(own, data));
  }

  @Test
  void shouldHoldThePrivilegesOnValkey() throws IOException {
    assertHoldsPrivileges(RealRedis::valkey);
  }

  @Test
  void shouldFollowWhatChangesAndLeaveOthersAlone() throws IOException {
    try (var process = RealRedis.of(peer, folder)) {
      // Given
      var redis = primary();
      redis.setAccount("theirs", "nopass", "~*", "+@all");
      mount("ReadOnly", PASSWORD);
      follow(redis);
      var before = redis.accounts();
      follow(redis);
      assertThat(redis.accounts()).isEqualTo(before);
      // When the password changes
      mount("ReadOnly", "another");
      follow(redis);
      // Then both are accepted
      assertThat(login("another").get("a")).isNull();
      var earlier = login(PASSWORD);
      // When the privileges change, then also for who is connected
      mount("ReadWrite", "another");
      follow(redis);
      assertThat(earlier.set("a", "1")).isEqualTo("OK");
      mount("ReadOnly", "another");
      follow(redis);
      assertThatThrownBy(() -> earlier.set("a", "2")).hasMessageContaining("NOPERM");
      // When the App asks for it no more, and the agent has started again meanwhile
      for (var file : List.of("reports", "reports.rules", "reports.privileges")) {
        Files.delete(folder.resolve("of-app").resolve(file));
      }
      new AppAccounts(accounts.folder(), accounts.memory()).follow(redis.accounts(), redis);
      // Then
      assertThat(redis.accounts()).containsOnlyKeys("default", "theirs");
      // and another one of that name, which somebody makes later, is his
      redis.setAccount("reports", "nopass");
      follow(redis);
      assertThat(redis.accounts()).containsKey("reports");
    }
  }

  private void assertHoldsPrivileges(BiFunction<RedisPeer, Path, RealRedis> program)
      throws IOException {
    try (var process = program.apply(peer, folder)) {
      // When
      var redis = primary();
      mount("ReadOnly", PASSWORD);
      follow(redis);
      // Then
      var client = login(PASSWORD);
      assertThat(client.get("a")).isNull();
      assertThat(client.role().getFirst()).isEqualTo("master");
      assertRefused(() -> client.set("a", "1"));
      assertRefused(() -> client.flushall());
      // When
      mount("ReadWrite", PASSWORD);
      follow(redis);
      // Then
      assertThat(client.set("a", "1")).isEqualTo("OK");
      assertRefused(() -> client.configGet("masterauth"));
      assertRefused(() -> client.aclList());
      // When
      mount("Admin", PASSWORD);
      follow(redis);
      // Then
      assertThat(client.aclList()).isNotEmpty();
      await() // the client may lose the connection before it has the reason
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> login("wrong"))
                      .rootCause()
                      .hasMessageContaining("WRONGPASS"));
    }
  }

  private static void assertRefused(Runnable command) {
    assertThatThrownBy(command::run).hasMessageContaining("NOPERM");
  }

  private RedisServer primary() {
    var redis = servers.at(peer.address());
    await().ignoreExceptions().untilAsserted(redis::promote);
    return redis;
  }

  private void follow(RedisServer redis) {
    accounts.follow(redis.accounts(), redis);
  }

  private void mount(String privileges, String password) throws IOException {
    var files =
        Map.of(
            "reports.rules",
            rules.get(privileges),
            "reports.privileges",
            privileges,
            "reports",
            password,
            ".complete",
            "yes");
    for (var file : files.entrySet()) {
      Files.writeString(folder.resolve("of-app").resolve(file.getKey()), file.getValue());
    }
  }

  private RedisCommands<String, String> login(String password) {
    var uri =
        RedisURI.builder()
            .withHost(peer.host())
            .withPort(peer.port())
            .withAuthentication("reports", password)
            .build();
    return client.connect(uri).sync();
  }
}
