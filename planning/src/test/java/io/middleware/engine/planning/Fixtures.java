package io.middleware.engine.planning;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Storage;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.api.task.TaskPolicy;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.ExistingPod;
import io.middleware.engine.planning.app.ExistingVolumeClaim;
import io.middleware.engine.planning.app.ObservedApp;
import io.middleware.engine.planning.condition.EndpointPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An App, its Plugin and its Components from files, with single fields edited. */
public final class Fixtures {
  public static final Path ROOT = Path.of("../planning/src/test/resources/plan");
  static final TaskPolicies POLICIES =
      new TaskPolicies(
          new TaskPolicy(Duration.ofMinutes(5), 3, Duration.ofSeconds(1)),
          new RollingPolicy(1, Duration.ZERO));

  public static final EndpointPolicy ENDPOINTS =
      EndpointPolicy.of(List.of("verify.example.com", "prometheus.example.com:9090"), "");

  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  private final Path directory;
  private final Map<String, Object> edits;

  /**
   * @param directory whose files go before those of the root
   * @param edits by file ({@code app}, {@code plugin}, {@code components}) and path
   */
  public Fixtures(Path directory, Map<String, Object> edits) {
    this.directory = directory;
    this.edits = edits;
  }

  public static Object yaml(Path file) {
    try {
      return YAML.unmarshal(Files.readString(file), Object.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  App app() {
    return YAML.convertValue(tree("app"), App.class);
  }

  public DesiredApp desiredApp() {
    return asked().deriving(List.of());
  }

  /** Without what is derived. */
  public DesiredApp asked() {
    var app = app();
    return new DesiredApp(
        app.getMetadata().getName(),
        app.getSpec(),
        YAML.convertValue(tree("plugin"), Plugin.class).getSpec());
  }

  public List<DeployedComponent> deployed() {
    var items = (List<?>) ((Map<?, ?>) tree("components")).get("items");
    return items.stream()
        .map(item -> YAML.convertValue(item, Component.class))
        .map(component -> DeployedComponent.of(component, Map.of()))
        .toList();
  }

  public ObservedApp observedApp() {
    return new ObservedApp(
        deployed(),
        List.of(
            new ExistingVolumeClaim(
                "data-cache-redis-nodes-shard-9-0",
                "redis-nodes",
                "shard-9",
                new Storage("2Gi", "fast"),
                Optional.of(new Quantity("2Gi"))),
            claim("shard-0", 0),
            claim("shard-1", 0)),
        List.of(
            new ExistingPod("sentinel", "all", true),
            new ExistingPod("redis-nodes", "shard-0", false)));
  }

  private static ExistingVolumeClaim claim(String group, int number) {
    return new ExistingVolumeClaim(
        "data-cache-redis-nodes-%s-%d".formatted(group, number),
        "redis-nodes",
        group,
        new Storage("1Gi", "local"),
        Optional.of(new Quantity("1Gi")));
  }

  private Object tree(String name) {
    var own = directory.resolve(name + ".yaml");
    var tree = yaml(Files.exists(own) ? own : ROOT.resolve(name + ".yaml"));
    if (edits.get(name) instanceof Map<?, ?> fields) {
      fields.forEach((path, value) -> set(tree, List.of(path.toString().split("\\.")), value));
    }
    return tree;
  }

  @SuppressWarnings("unchecked") // what YAML gives
  private static void set(Object tree, List<String> path, Object value) {
    var key = path.getFirst();
    var rest = path.subList(1, path.size());
    if (tree instanceof List<?> list) {
      if (rest.isEmpty()) {
        ((List<Object>) list).set(Integer.parseInt(key), value);
      } else {
        set(list.get(Integer.parseInt(key)), rest, value);
      }
    } else if (rest.isEmpty()) {
      ((Map<String, Object>) tree).put(key, value);
    } else {
      set(((Map<String, Object>) tree).get(key), rest, value);
    }
  }
}
