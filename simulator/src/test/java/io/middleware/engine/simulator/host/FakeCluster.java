package io.middleware.engine.simulator.host;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceListBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** An API server that has the objects which a test has put into the namespace {@code shop}. */
final class FakeCluster implements AutoCloseable {
  static final String NAMESPACE = "shop";

  private final Map<String, KubernetesResource> objects = new ConcurrentHashMap<>();
  private final HttpServer server;
  private final KubernetesClient client;

  FakeCluster() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    putServices();
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  KubernetesClient client() {
    return client;
  }

  void putConfigMap(String name, Map<String, String> data) {
    var map = new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata();
    put("configmaps", map.withData(data).build());
  }

  void putSecret(String name, Map<String, String> data) {
    Map<String, String> encoded = new HashMap<>();
    data.forEach(
        (key, text) ->
            encoded.put(
                key, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
    var secret = new SecretBuilder().withNewMetadata().withName(name).endMetadata();
    put("secrets", secret.withData(encoded).build());
  }

  /** Replaces all Services. */
  void putServices(Service... services) {
    objects.put(
        "/api/v1/namespaces/%s/services".formatted(NAMESPACE),
        new ServiceListBuilder().withItems(services).build());
  }

  /** Its uid is its name. */
  void putClaim(String name) {
    put(
        "persistentvolumeclaims",
        new PersistentVolumeClaimBuilder()
            .withNewMetadata()
            .withName(name)
            .withUid(name)
            .endMetadata()
            .build());
  }

  private void put(String plural, HasMetadata object) {
    objects.put(path(plural, object.getMetadata().getName()), object);
  }

  /** What {@code PodApi} has written last. */
  Optional<Pod> pod(String name) {
    return Optional.ofNullable(objects.get(path("pods", name) + "/status")).map(Pod.class::cast);
  }

  /** For another pod of the same name. */
  void forget(String pod) {
    objects.remove(path("pods", pod) + "/status");
    objects.remove(path("pods", pod));
  }

  boolean isDeleted(String pod) {
    return objects.containsKey(path("pods", pod));
  }

  private static String path(String plural, String name) {
    return "/api/v1/namespaces/%s/%s/%s".formatted(NAMESPACE, plural, name);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath();
      switch (exchange.getRequestMethod()) {
        case "PUT" -> {
          var sent = Serialization.unmarshal(exchange.getRequestBody(), Pod.class);
          objects.put(path, sent);
        }
        case "DELETE" -> objects.put(path, new Pod());
        default -> {}
      }
      var object = objects.get(path);
      var found = object != null;
      var body = (found ? Serialization.asJson(object) : "{}").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(
          found ? HttpURLConnection.HTTP_OK : HttpURLConnection.HTTP_NOT_FOUND, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
  }
}
