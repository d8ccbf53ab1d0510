package io.middleware.engine.e2e.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** A user of an etcd cluster who writes without end, each key until a member confirms it. */
final class EtcdWriter implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Supplier<List<String>> addresses;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(ANSWER).build();
  private final Thread thread = Thread.ofVirtual().unstarted(this::write);
  private final CountDownLatch begun = new CountDownLatch(1);
  private volatile boolean stopped;

  // of the thread, and of others after its end
  private final List<String> confirmed = new ArrayList<>();

  /**
   * @param addresses of the members' pods now
   */
  EtcdWriter(Supplier<List<String>> addresses) {
    this.addresses = addresses;
  }

  /** Returns when the first key is confirmed. */
  void start() throws InterruptedException {
    thread.start();
    begun.await();
  }

  /** Ends the writing. */
  List<String> confirmed() throws InterruptedException {
    stopped = true;
    thread.join();
    return confirmed;
  }

  /** What the cluster does not have of what it has confirmed, as a majority of it says. */
  List<String> lost() throws InterruptedException {
    var range = Map.of("key", base64("write-"), "range_end", base64("write."), "keys_only", true);
    var there = new HashSet<String>();
    call("kv/range", range).orElseThrow().path("kvs").forEach(entry -> there.add(text(entry)));
    return confirmed().stream().filter(key -> !there.contains(key)).toList();
  }

  /** The version whose members can read the data of the member that answers, such as 3.6.0. */
  String storageVersion() throws InterruptedException {
    return call("maintenance/status", Map.of()).orElseThrow().path("storageVersion").asText();
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    client.shutdownNow();
    thread.join();
  }

  private void write() {
    try {
      for (var number = 0; !stopped; Thread.sleep(PAUSE)) {
        var key = "write-" + number;
        if (call("kv/put", Map.of("key", base64(key), "value", base64(key))).isPresent()) {
          confirmed.add(key);
          begun.countDown();
          number++;
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The answer of the first member that has one. */
  private Optional<JsonNode> call(String method, Map<String, ?> request)
      throws InterruptedException {
    for (var address : addresses.get()) {
      try {
        var body = BodyPublishers.ofString(JSON.writeValueAsString(request));
        var uri = URI.create("http://%s:2379/v3/%s".formatted(address, method));
        var post = HttpRequest.newBuilder(uri).timeout(ANSWER).POST(body).build();
        var answer = client.send(post, BodyHandlers.ofString());
        if (answer.statusCode() == 200) {
          return Optional.of(JSON.readTree(answer.body()));
        }
      } catch (IOException silent) {
        continue;
      }
    }
    return Optional.empty();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static String text(JsonNode entry) {
    return new String(Base64.getDecoder().decode(entry.path("key").asText()), UTF_8);
  }
}
