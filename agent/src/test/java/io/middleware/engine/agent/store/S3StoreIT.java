package io.middleware.engine.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.middleware.engine.process.agents.Identity;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

class S3StoreIT extends BackupStoreContract {
  private static final long SIZE = 6L * S3Upload.PART_BYTES;
  private static final long MIDDLE = 5L * S3Upload.PART_BYTES;

  @TempDir Path folder;
  private S3Server server;
  private StoreFiles files;
  private BackupStorage store;

  @BeforeEach
  void start() throws IOException {
    server = S3Server.in(folder);
    files = server.settings();
    store = files.settings().open();
  }

  @AfterEach
  void stop() {
    if (server != null) {
      store.close();
      server.close();
    }
  }

  @Override
  BackupStorage store() {
    return store;
  }

  @Test
  void shouldLeaveNothingWhenTheServerDies() throws IOException {
    var content = Noise.interruptedBy(server::kill, SIZE, MIDDLE);

    assertThatThrownBy(() -> store.write("a.rdb", content))
        .hasMessageStartingWith(
            "UNAVAILABLE: cannot write s3://backups/engine/a.rdb: no answer from "
                + "http://localhost:");

    server.start();
    assertThat(store.list("")).isEmpty();
    store.write("a.rdb", Noise.of(SIZE));
    assertThat(server.files()).containsExactly(Path.of("engine/a.rdb"));
  }

  @Test
  void shouldFindTheObjectWhenTheEndOfAnUploadIsRepeated() throws Exception {
    var key = "engine/a.rdb";
    try (var client = S3Store.client((StoreSettings.S3) files.settings())) {
      var content = Noise.of(SIZE);
      var first = content.readNBytes(S3Upload.PART_BYTES);

      new S3Upload(endingTwice(client), S3Server.BUCKET, key).run(first, content);
    }

    assertThat(store.size("a.rdb")).isEqualTo(OptionalLong.of(SIZE));
    assertThat(server.files()).containsExactly(Path.of(key));
  }

  /** As a client does that has received no answer. */
  private static S3Client endingTwice(S3Client client) {
    return (S3Client)
        Proxy.newProxyInstance(
            S3Client.class.getClassLoader(),
            new Class<?>[] {S3Client.class},
            (proxy, method, arguments) -> {
              try {
                if (method.getName().equals("completeMultipartUpload")) {
                  method.invoke(client, arguments);
                }
                return method.invoke(client, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Returns when the thread that reads knows of it. */
  private static void interrupt(Thread caller) {
    caller.interrupt();
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void shouldLeaveNothingWhenInterrupted() throws Exception {
    var failure = new AtomicReference<Throwable>();
    var interrupted = new AtomicReference<Boolean>();

    Thread.startVirtualThread(
            () -> {
              var caller = Thread.currentThread();
              var content = Noise.interruptedBy(() -> interrupt(caller), SIZE, MIDDLE);
              failure.set(catchThrowable(() -> store.write("a.rdb", content)));
              interrupted.set(Thread.interrupted());
            })
        .join();

    assertThat(failure.get()).hasMessageStartingWith("UNAVAILABLE: cannot write s3://backups");
    assertThat(interrupted.get()).isTrue();
    assertThat(server.files()).isEmpty();
  }

  @Test
  void shouldDeleteWhatAKilledAgentHasLeft() throws IOException {
    var key = "engine/a.rdb";
    try (var client = S3Store.client((StoreSettings.S3) files.settings())) {
      var id =
          client
              .createMultipartUpload(create -> create.bucket(S3Server.BUCKET).key(key))
              .uploadId();
      client.uploadPart(
          part -> part.bucket(S3Server.BUCKET).key(key).uploadId(id).partNumber(1),
          RequestBody.fromString("begun"));
    }
    assertThat(server.files()).isNotEmpty();

    store.delete("a.rdb");

    assertThat(server.files()).isEmpty();
  }

  @Test
  void shouldNameWrongCredentials() throws IOException {
    assertThatThrownBy(() -> with("secret-key", "wrong").write("a.rdb", Noise.of(1)))
        .hasMessageStartingWith(
            "FAILED_PRECONDITION: cannot write s3://backups/engine/a.rdb: http://localhost:")
        .hasMessageContaining(" refuses the access key tests: check 'access-key', 'secret-key'")
        .hasMessageContaining(" and the rights on the bucket: SignatureDoesNotMatch (");
    assertThatThrownBy(() -> with("secret-key", "wrong").requireWritable("a.rdb"))
        .hasMessageStartingWith("FAILED_PRECONDITION: cannot write s3://backups/engine/a.rdb: ")
        .hasMessageContaining(" and the rights on the bucket: SignatureDoesNotMatch (");
    assertThatThrownBy(() -> with("secret-key", "wrong").size("a.rdb"))
        .hasMessageContaining(" and the rights on the bucket: HTTP 403");
  }

  @Test
  void shouldNameAMissingBucket() throws IOException {
    for (var size : new long[] {1, SIZE}) {
      assertThatThrownBy(() -> with("bucket", "missing").write("a.rdb", Noise.of(size)))
          .hasMessageStartingWith(
              "FAILED_PRECONDITION: cannot write s3://missing/engine/a.rdb: there is no bucket 'missing' at http://")
          .hasMessageEndingWith(": create it, or correct 'bucket'");
    }
    assertThatThrownBy(() -> with("bucket", "missing").requireWritable("a.rdb"))
        .hasMessageStartingWith(
            "FAILED_PRECONDITION: cannot write s3://missing/engine/a.rdb: there is no bucket 'missing' at http://");
  }

  @Test
  void shouldNameAnEndpointThatDoesNotAnswer() throws IOException {
    assertThatThrownBy(() -> with("endpoint", "http://127.88.0.1:1").size("a.rdb"))
        .hasMessage(
            "UNAVAILABLE: cannot look at s3://backups/engine/a.rdb: no answer from "
                + "http://127.88.0.1:1:"
                + " java.net.ConnectException: Connection refused: check 'endpoint' and that the service runs");
  }

  /** As a load balancer does whose servers are down. */
  @Test
  void shouldNotSuspectTheCertificateWhenTheConnectionBreaksOff() throws IOException {
    try (var balancer = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
      var endpoint = "https://localhost:" + balancer.getLocalPort();
      var store = with("endpoint", endpoint);
      Thread.startVirtualThread(() -> hangUp(balancer));

      assertThatThrownBy(() -> store.size("a.rdb"))
          .hasMessageContaining("no answer from %s: ".formatted(endpoint))
          .hasMessageEndingWith(": check 'endpoint' and that the service runs");
    }
  }

  private static void hangUp(ServerSocket balancer) {
    try {
      while (true) {
        balancer.accept().close();
      }
    } catch (IOException e) {
      // the test is over
    }
  }

  @Test
  void shouldNameASettingThatIsMissing() throws IOException {
    Files.delete(files.directory().resolve("secret-key"));

    assertThatThrownBy(() -> files.settings())
        .hasMessage(
            "FAILED_PRECONDITION: the setting 'secret-key' of the backup store must be the secret of the access key,"
                + " but is missing: correct it in %s",
            files.directory());
  }

  @Test
  void shouldNameTheSecretThatIsMissing() throws IOException {
    Files.delete(files.directory().resolve("access-key"));
    Files.writeString(files.directory().resolve("secret"), "backup-key");

    assertThatThrownBy(() -> files.settings())
        .hasMessageContaining("but is missing from Secret backup-key: correct it in");
  }

  @Test
  void shouldTrustTheAuthorityOfTheSettings(@TempDir Path other) throws IOException {
    var identity = Identity.of("localhost", other);
    var certificate = Files.writeString(other.resolve("tls.crt"), identity.certificate());
    var key = Files.writeString(other.resolve("tls.key"), identity.key());
    try (var tls = S3Server.withTls(other, certificate, key)) {
      var trusting = tls.settings();
      Files.copy(certificate, trusting.directory().resolve("ca.crt"));

      try (var secure = trusting.settings().open()) {
        secure.write("a.rdb", Noise.of(SIZE));
        assertThat(secure.list("")).containsExactly("a.rdb");
      }
      Files.delete(trusting.directory().resolve("ca.crt"));
      try (var distrusting = trusting.settings().open()) {
        assertThatThrownBy(() -> distrusting.list(""))
            .hasMessageContaining(" has a certificate that is not trusted: check 'ca.crt': ");
      }
    }
  }

  private BackupStorage with(String setting, String value) throws IOException {
    Files.writeString(files.directory().resolve(setting), value);
    return files.settings().open();
  }
}
