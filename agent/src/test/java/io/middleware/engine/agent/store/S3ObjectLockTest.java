package io.middleware.engine.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As a bucket with Object Lock, the server refuses each PUT without the right Content-MD5. */
class S3ObjectLockTest {
  private static final String UPLOAD =
      "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>";
  private static final String COMPLETE =
      "<CompleteMultipartUploadResult><ETag>all</ETag></CompleteMultipartUploadResult>";
  private static final String NO_UPLOADS =
      "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>";

  @TempDir Path folder;
  private final List<Integer> stored = new CopyOnWriteArrayList<>();
  private volatile String deletion = "";
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
    write("endpoint", "http://127.0.0.1:" + server.getAddress().getPort());
    write("bucket", "locked");
    write("access-key", "key");
    write("secret-key", "secret");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void shouldGiveTheChecksumOfAnObjectAndOfEachPart() {
    try (var store = new StoreFiles(folder).settings().open()) {
      store.write("small.rdb", Noise.of(1000));
      store.write("large.rdb", Noise.of(S3Upload.PART_BYTES + 500L));
    }

    assertThat(stored).containsExactlyInAnyOrder(1000, S3Upload.PART_BYTES, 500);
  }

  /** Google's stores answer so, and those of others do not. */
  @Test
  void shouldDeleteWhatIsGone() {
    try (var store = new StoreFiles(folder).settings().open()) {
      deletion = "NoSuchKey";
      store.delete("a.rdb");
      deletion = "NoSuchBucket";
      assertThatThrownBy(() -> store.delete("a.rdb"))
          .hasMessageContaining("there is no bucket 'locked'");
    }
  }

  private void answer(HttpExchange request) throws IOException {
    var body = request.getRequestBody().readAllBytes();
    if ("DELETE".equals(request.getRequestMethod())) {
      reply(request, 404, "<Error><Code>%s</Code></Error>".formatted(deletion));
      return;
    }
    if ("PUT".equals(request.getRequestMethod())) {
      put(request, body);
    } else {
      var query = String.valueOf(request.getRequestURI().getQuery());
      var begun = query.startsWith("uploads") ? UPLOAD : COMPLETE;
      reply(request, 200, "GET".equals(request.getRequestMethod()) ? NO_UPLOADS : begun);
    }
  }

  private void put(HttpExchange request, byte[] body) throws IOException {
    var given = request.getRequestHeaders().getFirst("Content-MD5");
    if (S3Upload.md5(body, body.length).equals(given)) {
      stored.add(body.length);
      request.getResponseHeaders().add("ETag", "\"part\"");
      reply(request, 200, "");
    } else {
      var message = "Content-MD5 is required for Put Object requests with Object Lock parameters";
      reply(
          request,
          400,
          "<Error><Code>InvalidRequest</Code><Message>%s</Message></Error>".formatted(message));
    }
  }

  private static void reply(HttpExchange request, int code, String body) throws IOException {
    var bytes = body.getBytes();
    request.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
    try (var out = request.getResponseBody()) {
      out.write(bytes);
    }
  }

  private void write(String setting, String value) throws IOException {
    Files.writeString(folder.resolve(setting), value);
  }
}
