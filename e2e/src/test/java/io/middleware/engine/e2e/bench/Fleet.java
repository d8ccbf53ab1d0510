package io.middleware.engine.e2e.bench;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.middleware.engine.api.App;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Apps in a namespace of their own, whose runtime may go from 7.0 to 7.2 and back. */
final class Fleet implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  /** C components of G groups of P pods each. */
  record Shape(int components, int groups, int pods) {
    static final Shape S = new Shape(1, 1, 1);
    static final Shape M = new Shape(3, 2, 3);
    static final Shape L = new Shape(5, 4, 5);

    /** Number of pods. */
    int all() {
      return components * groups * pods;
    }
  }

  final String namespace;
  final KubernetesClient client = new KubernetesClientBuilder().build();

  /** A watch, as reading a thousand Apps again and again would be a load of its own. */
  private final SharedIndexInformer<App> apps;

  Fleet(String namespace) throws IOException {
    this(namespace, "300ms");
  }

  /**
   * @param readyAfter how long each pod takes to be ready, for example {@code 3s}
   */
  Fleet(String namespace, String readyAfter) throws IOException {
    this.namespace = namespace;
    kubectl(Yaml.read("k8s/samples/shop.yaml").replace("shop", namespace));
    kubectl(
        Yaml.read("e2e/src/test/resources/simulated/plugin-redis.yaml")
            .replace("500ms", readyAfter)
            .replaceFirst("(version: \"7.0\"\n +)", "$1upgradesFrom: [\"7.2\"]\n      ")
            .replace("upgrade: [sentinel, redis-nodes]", "upgrade: [c0, c1, c2, c3, c4]"));
    this.apps = client.resources(App.class).inNamespace(namespace).inform();
  }

  static void kubectl(Yaml yaml) throws IOException {
    var file = Files.createTempFile("bench", ".yaml");
    Files.writeString(file, yaml.text());
    Engine.run(List.of("kubectl", "apply", "-f", file.toString()));
    Files.delete(file);
  }

  /** Applies {@code count} Apps at once: app-0, app-1, … */
  void apply(int from, int count, Shape shape) {
    try (var threads = Executors.newFixedThreadPool(20)) {
      IntStream.range(from, from + count)
          .forEach(i -> threads.submit(() -> apply("app-" + i, shape, "7.0")));
    }
  }

  /** Returns the generation. */
  long apply(String name, Shape shape, String version) {
    return apply(name, shape, version, new String[0]);
  }

  /**
   * @param fields more lines of {@code spec}
   */
  long apply(String name, Shape shape, String version, String... fields) {
    return apply(yaml(name, shape, version, fields));
  }

  /**
   * The same with a check of each component.
   *
   * @param check in YAML, on one line
   */
  long applyChecked(String name, Shape shape, String version, String check, String... fields) {
    var type = "    type: sentinel\n";
    return apply(
        yaml(name, shape, version, fields)
            .replace(type, type + "    checks: [%s]\n".formatted(check)));
  }

  /** Applies any object; returns its generation. */
  long apply(String yaml) {
    return client
        .resource(yaml)
        .fieldManager("bench")
        .forceConflicts()
        .serverSideApply()
        .getMetadata()
        .getGeneration();
  }

  /** Upgrades an S App, or takes its upgrade back, and waits until it is Ready. */
  void changeSmall(String name) {
    var next = app(name).getSpec().runtime().version().equals("7.0") ? "7.2" : "7.0";
    awaitSeenReady(name, apply(name, Shape.S, next));
  }

  /** An App in YAML. */
  String yaml(String name, Shape shape, String version, String... fields) {
    var text =
        new StringBuilder(
            """
            apiVersion: middleware.io/v1
            kind: App
            metadata: {name: %s, namespace: %s}
            spec:
              plugin: {name: redis, version: 1.0.0}
              runtime: {name: redis, version: "%s"}
              components:
            """
                .formatted(name, namespace, version));
    for (int c = 0; c < shape.components(); c++) {
      text.append("  - name: c%d\n    type: sentinel\n    groups:\n".formatted(c));
      for (int g = 0; g < shape.groups(); g++) {
        text.append("    - {name: g%d, replicas: %d}\n".formatted(g, shape.pods()));
      }
    }
    for (var field : fields) {
      text.append("  ").append(field).append('\n');
    }
    return text.toString();
  }

  App app(String name) {
    return client.resources(App.class).inNamespace(namespace).withName(name).get();
  }

  List<App> apps() {
    return apps.getStore().list();
  }

  /** Waits until this many Apps are Ready in their newest generation. */
  void awaitReady(int count) {
    await(count + " Apps Ready")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> apps().stream().filter(Fleet::isReady).count() >= count);
  }

  void awaitReady(String name) {
    await(name + " Ready")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> isReady(app(name)));
  }

  /** The same by the watch, which costs the API server nothing. */
  void awaitSeenReady(String name, long generation) {
    await(name + " Ready")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> isReady(seen(name), generation));
  }

  /** Null before it was seen. */
  private App seen(String name) {
    return apps.getStore().getByKey(Cache.namespaceKeyFunc(namespace, name));
  }

  private static boolean isReady(App app, long generation) {
    return app != null && app.getMetadata().getGeneration() >= generation && isReady(app);
  }

  static boolean isReady(App app) {
    return app.getStatus() != null
        && app.getStatus().conditions().stream()
            .anyMatch(
                c ->
                    c.getType().equals("Ready")
                        && c.getStatus().equals("True")
                        && app.getMetadata().getGeneration().equals(c.getObservedGeneration()));
  }

  @Override
  public void close() {
    apps().parallelStream().forEach(app -> client.resource(app).delete());
    await("Apps gone").atMost(PATIENCE).until(() -> apps().isEmpty());
    client.namespaces().withName(namespace).delete();
    client.close();
  }
}
