package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.agent.tls.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** At which ports the container of the Redis Plugin listens with a certificate. */
class RedisTlsStartIT {
  private static final String REFUSED = "Connection refused";

  @TempDir Path folder;
  private LocalRedis redis;
  private Path note;

  @BeforeEach
  void prepare() throws IOException {
    var authority = new TestAuthority(folder);
    var issued = authority.issue();
    redis = new LocalRedis(folder, LocalRedis.address(4, 1));
    redis.mount(Set.of("certificate"));
    note = redis.data().resolve(".closed-to-plain");
    Files.createDirectories(folder.resolve("tls"));
    mount("tls.crt", issued.certificate());
    mount("tls.key", issued.key());
    mount("ca.crt", authority.certificate());
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  @Test
  void shouldListenAtBothPorts() throws IOException {
    mount("tls", "both");
    redis.begin("no");
    awaitAnswerByTls();
    assertThat(redis.call("ping")).isEqualTo("PONG");
  }

  @Test
  void shouldCloseANewGroupAtOnce() throws IOException {
    mount("tls", "only");
    redis.begin("no");
    awaitAnswerByTls();
    assertThat(redis.call("ping")).contains(REFUSED);
    assertThat(note).hasContent("new");
  }

  @Test
  void shouldNotCloseAGroupThatRuns() throws IOException {
    Files.createFile(redis.data().resolve(".replication-mark"));
    mount("tls", "only");
    redis.begin("no");
    awaitAnswerByTls();
    assertThat(redis.call("ping")).isEqualTo("PONG");
  }

  @Test
  void shouldStayClosedWhereItsAgentKnowsMoreThanTheFile() throws IOException {
    Files.writeString(note, "uid");
    mount("tls", "both");
    redis.begin("no");
    awaitAnswerByTls();
    assertThat(redis.call("ping")).contains(REFUSED);
  }

  @Test
  void shouldForgetWhatAnEarlierPodHasNoted() throws IOException {
    Files.writeString(note, "earlier");
    mount("tls", "both");
    redis.begin("no");
    awaitAnswerByTls();
    assertThat(redis.call("ping")).isEqualTo("PONG");
    assertThat(note).doesNotExist();
  }

  @Test
  void shouldHandOverByTlsBeforeItsPodEnds() throws Exception {
    mount("tls", "only");
    redis.begin("no");
    var folderOfReplica = Files.createDirectories(folder.resolve("replica"));
    Files.createSymbolicLink(folderOfReplica.resolve("tls"), folder.resolve("tls"));
    try (var replica = new LocalRedis(folderOfReplica, LocalRedis.address(4, 2))) {
      replica.mount(Set.of("certificate"));
      replica.begin("no");
      await()
          .atMost(LocalRedis.PATIENCE)
          .until(() -> byTls(redis, "replicaof no one").equals("OK"));
      await()
          .atMost(LocalRedis.PATIENCE)
          .until(
              () -> byTls(replica, "replicaof " + LocalRedis.address(4, 1) + " 6380").equals("OK"));
      await()
          .atMost(LocalRedis.PATIENCE)
          .until(() -> byTls(redis, "info replication").contains("state=online"));
      // When
      assertThat(redis.preStop()).isZero();
      // Then
      assertThat(byTls(replica, "info replication")).contains("role:master");
    }
  }

  private void awaitAnswerByTls() {
    await().atMost(LocalRedis.PATIENCE).until(() -> byTls(redis, "ping").equals("PONG"));
  }

  private String byTls(LocalRedis one, String command) throws IOException {
    var options = List.of("-p", "6380", "--tls", "--cacert", folder.resolve("tls/ca.crt"));
    return one.call(
        Stream.concat(options.stream(), Stream.of(command.split(" ")))
            .map(Object::toString)
            .toArray(String[]::new));
  }

  private void mount(String file, String content) throws IOException {
    Files.writeString(folder.resolve("tls").resolve(file), content);
  }
}
