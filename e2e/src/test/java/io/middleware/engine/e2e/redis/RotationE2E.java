package io.middleware.engine.e2e.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.middleware.engine.api.App;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The passwords of a closed group with Sentinels are rotated again and again, while processes of
 * the engine die and a client logs in for each write with the password that it reads; or others
 * write one of them into a Secret of theirs.
 */
@EndToEnd
@Disruptive("kills worker, watcher and agents")
@InTurn(3)
class RotationE2E {
  private static final String GENERATED = "cache-redis-nodes-generated";

  /** What applications read. */
  private static final String CONNECTION = "cache-redis-nodes-main-rw.app";

  /** What others write. */
  private static final String USERS = "users";

  private static final Duration ANSWER = Duration.ofSeconds(2);

  /** So long a password works after another one was published. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Shop shop;
  private final DeployedRedisGroup group;
  private final RedisClient client = RedisClient.create();
  private final List<String> refused = new ArrayList<>();
  private final List<String> acknowledged = new ArrayList<>();
  private volatile boolean stopped;

  RotationE2E(Shop shop) {
    this.shop = shop;
    this.group = new DeployedRedisGroup(shop, "main");
    client.setOptions(ClientOptions.builder().autoReconnect(false).build());
  }

  @AfterEach
  void close() {
    stopped = true;
    group.close();
    client.shutdown();
  }

  @Test
  void shouldRefuseNobodyWhileItsProcessesDie() throws InterruptedException {
    // Given
    DeployedRedisGroup.assumeReal();
    group.deploy(shop.file("plugins/redis/app-passwords.yaml"));
    var pods = group.pods().stream().map(pod -> pod.getMetadata().getUid()).toList();
    var passwords = new HashSet<>(Set.of(published()));
    var enginePasswords = new HashSet<>(Set.of(enginePassword()));
    var writer = Thread.ofVirtual().start(this::write);
    // When
    for (var killed : List.of("worker", "watcher", "simulator")) {
      rotate(killed);
      passwords.add(published());
      enginePasswords.add(enginePassword());
    }
    stopped = true;
    writer.join();
    // Then
    System.out.printf(
        "%d logins with a write acknowledged, %d logins refused%n",
        acknowledged.size(), refused.size());
    assertThat(refused).isEmpty();
    assertThat(acknowledged).hasSizeGreaterThan(10);
    assertThat(passwords).hasSize(4);
    assertThat(enginePasswords).hasSize(4);
    assertThatOneWorks("app", passwords, published());
    assertThatOneWorks("default", enginePasswords, enginePassword());
    assertThat(group.pods()).extracting(pod -> pod.getMetadata().getUid()).isEqualTo(pods);
    assertThat(lost()).isEmpty();
  }

  /** Nobody edits the App. */
  @Test
  void shouldFollowASecretThatOthersWrite() throws InterruptedException {
    // Given
    DeployedRedisGroup.assumeReal();
    writeUsers("first");
    group.deploy(
        shop.file("plugins/redis/app-passwords.yaml")
            .replace(
                "      password: {generate: 32}",
                "      password: {secretRef: {name: users, key: app}}"));
    var generation = shop.app("cache").getMetadata().getGeneration();
    // When
    writeUsers("second");
    // Then
    awaitPublished("second");
    // When
    users().delete();
    // Then
    var named = shop.awaitApp("cache", app -> missing(app).isPresent());
    assertThat(missing(named).orElseThrow()).contains("Secret %s/users".formatted(shop.namespace));
    assertThat(Shop.condition(named, "Ready").orElseThrow().getStatus()).isEqualTo("True");
    assertThatAllLogIn("second");
    // When
    writeUsers("third");
    // Then
    awaitPublished("third");
    shop.awaitApp("cache", app -> missing(app).isEmpty());
    // When
    var begin = System.nanoTime();
    var changes = writeAgainAndAgain();
    awaitPublished("written-89");
    changes.add(shop.status("cache").change().startedAt());
    // Then
    var minutes = Duration.ofNanos(System.nanoTime() - begin).toMinutes();
    System.out.printf("%d changes in %d min%n", changes.size() - 1, minutes);
    assertThat(changes.size() - 1).isLessThanOrEqualTo((int) minutes + 1);
    assertThat(shop.app("cache").getMetadata().getGeneration()).isEqualTo(generation);
  }

  /** Each second; returns when changes of the App have begun. */
  private Set<String> writeAgainAndAgain() throws InterruptedException {
    var changes = new HashSet<String>();
    for (var number = 0; number < 90; number++) {
      writeUsers("written-" + number);
      changes.add(shop.status("cache").change().startedAt());
      Thread.sleep(1000);
    }
    return changes;
  }

  private void awaitPublished(String password) {
    await(password).untilAsserted(() -> assertThat(published()).isEqualTo(password));
    assertThatAllLogIn(password);
  }

  private void assertThatAllLogIn(String password) {
    assertThat(addresses()).hasSize(3).allMatch(it -> logsIn(it, "app", password));
  }

  private static Optional<String> missing(App app) {
    return Shop.condition(app, "DependenciesMissing").map(Condition::getMessage);
  }

  private void writeUsers(String password) {
    var secret =
        new SecretBuilder()
            .withNewMetadata()
            .withName(USERS)
            .withNamespace(shop.namespace)
            .endMetadata()
            .addToStringData("app", password)
            .build();
    shop.client.resource(secret).createOr(it -> it.update());
  }

  private Resource<Secret> users() {
    return shop.client.secrets().inNamespace(shop.namespace).withName(USERS);
  }

  private void rotate(String killed) {
    var before = published();
    var operation = new AppOperation(shop, "rotate-" + killed, "RotateSecrets");
    operation.apply(", grace: %ds".formatted(GRACE.toSeconds()));
    operation.awaits(status -> status.tasks() != null);
    Engine.dev("restart", killed, "--kill");
    operation.ends("Succeeded");
    assertThat(published()).isNotEqualTo(before);
    System.out.printf("rotated while %s died%n", killed);
  }

  private void assertThatOneWorks(String account, Set<String> passwords, String last) {
    for (var address : addresses()) {
      for (var password : passwords) {
        assertThat(logsIn(address, account, password))
            .as("%s on %s", account, address)
            .isEqualTo(password.equals(last));
      }
    }
  }

  /** Whether it does, once the server has answered. */
  private boolean logsIn(String address, String account, String password) {
    return await("login of %s on %s".formatted(account, address))
        .until(() -> login(address, account, password), Optional::isPresent)
        .orElseThrow();
  }

  /** Empty when there was no answer. */
  private Optional<Boolean> login(String address, String account, String password) {
    try (var connection = client.connect(uri(address, account, password))) {
      return Optional.of(connection.sync().ping().equals("PONG"));
    } catch (RedisException e) {
      return isRefused(e) ? Optional.of(false) : Optional.empty();
    }
  }

  private void write() {
    for (var number = 0; !stopped; number++) {
      for (var address : addresses()) {
        write(address, "write-" + number);
      }
    }
  }

  /** To the primary, by a login of its own, with a password that it has read just now. */
  private void write(String address, String key) {
    var read = System.nanoTime();
    var password = published();
    try (var connection = client.connect(uri(address, "app", password))) {
      var redis = connection.sync();
      if ("master".equals(redis.role().getFirst())) {
        redis.set(key, key);
        if (redis.waitForReplication(1, ANSWER.toMillis() / 2) == 1) {
          acknowledged.add(key);
        }
      }
    } catch (RedisException e) {
      var age = Duration.ofNanos(System.nanoTime() - read);
      if (isRefused(e) && age.compareTo(GRACE) < 0) {
        refused.add("%s on %s, %d ms old".formatted(key, address, age.toMillis()));
      }
    }
  }

  private static boolean isRefused(RedisException e) {
    return Objects.toString(rootMessage(e)).contains("WRONGPASS");
  }

  private static String rootMessage(Throwable e) {
    return e.getCause() == null ? e.getMessage() : rootMessage(e.getCause());
  }

  private List<String> lost() {
    return await("all that was acknowledged")
        .ignoreExceptions()
        .until(this::readLost, Objects::nonNull);
  }

  private List<String> readLost() {
    for (var address : addresses()) {
      try (var connection = client.connect(uri(address, "app", published()))) {
        if ("master".equals(connection.sync().role().getFirst())) {
          return missing(connection.sync());
        }
      }
    }
    throw new IllegalStateException("there is no primary");
  }

  private List<String> missing(RedisCommands<String, String> redis) {
    return acknowledged.stream().filter(key -> !key.equals(redis.get(key))).toList();
  }

  private String published() {
    return value(CONNECTION, "password");
  }

  private String enginePassword() {
    return value(GENERATED, "engine-password");
  }

  private String value(String name, String key) {
    var secret = shop.client.secrets().inNamespace(shop.namespace).withName(name).require();
    return new String(Base64.getDecoder().decode(secret.getData().get(key)), UTF_8);
  }

  private List<String> addresses() {
    return group.pods().stream().map(Pod::getStatus).map(it -> it.getPodIP()).toList();
  }

  private static RedisURI uri(String address, String account, String password) {
    return RedisURI.builder()
        .withHost(address)
        .withPort(6379)
        .withTimeout(ANSWER)
        .withAuthentication(account, password)
        .build();
  }
}
