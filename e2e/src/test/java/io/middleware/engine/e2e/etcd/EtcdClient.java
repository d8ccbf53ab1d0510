package io.middleware.engine.e2e.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.middleware.engine.e2e.Shop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;

/** Asks the members of an etcd cluster, one after the other, until one answers. */
final class EtcdClient implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofSeconds(2);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Supplier<List<String>> addresses;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(ANSWER).build();

  /**
   * @param addresses of the members' pods now
   */
  EtcdClient(Supplier<List<String>> addresses) {
    this.addresses = addresses;
  }

  /** The revision at which a majority has the key, or nothing when no member confirms it. */
  OptionalLong put(String key) throws InterruptedException {
    return call("kv/put", Map.of("key", base64(key), "value", base64(key)))
        .map(answer -> OptionalLong.of(answer.path("header").path("revision").asLong()))
        .orElse(OptionalLong.empty());
  }

  /** The keys that begin so, and the revisions of their last writes, as a majority says. */
  Map<String, Long> keys(String prefix) {
    var end =
        prefix.substring(0, prefix.length() - 1) + (char) (prefix.charAt(prefix.length() - 1) + 1);
    var range = Map.of("key", base64(prefix), "range_end", base64(end), "keys_only", true);
    var keys = new HashMap<String, Long>();
    for (var entry : answer("kv/range", range).path("kvs")) {
      keys.put(text(entry), entry.path("mod_revision").asLong());
    }
    return keys;
  }

  /** The version whose members can read the data of the member that answers, such as 3.6.0. */
  String storageVersion() throws InterruptedException {
    return call("maintenance/status", Map.of()).orElseThrow().path("storageVersion").asText();
  }

  /** Names of the members that vote, as the member that answers knows them. */
  List<String> voters() throws InterruptedException {
    return call("cluster/member/list", Map.of())
        .map(answer -> StreamSupport.stream(answer.path("members").spliterator(), false))
        .stream()
        .flatMap(members -> members)
        .filter(member -> !member.path("isLearner").asBoolean())
        .map(member -> member.path("name").asText())
        .toList();
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  /** The answer of a member, however long it takes until one has the time. */
  private JsonNode answer(String method, Map<String, ?> question) {
    return await("an answer of etcd to " + method)
        .atMost(Shop.PATIENCE)
        .until(() -> call(method, question), Optional::isPresent)
        .orElseThrow();
  }

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
