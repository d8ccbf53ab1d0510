package io.middleware.engine.planning.app;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Resources;
import io.middleware.engine.api.Storage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The values of a group, as the rules of its Plugin see them.
 *
 * @param replicas while it runs
 * @param config with the defaults of the Plugin
 * @param siblings the components of its App, as {@link Siblings} gives them
 */
public record GroupValues(
    ComponentSpec component,
    GroupTemplate group,
    int replicas,
    Map<String, Object> config,
    Map<String, Object> siblings) {

  /** The same while it has another number of pods. */
  public GroupValues with(int other) {
    return new GroupValues(component, group, other, config, siblings);
  }

  /** The variables of rules by name. */
  public Map<String, Object> variables() {
    Map<String, Object> variables = new HashMap<>();
    variables.put("app", component.app());
    variables.put("component", component.component());
    variables.put("group", group.name());
    variables.put(
        "runtime",
        fields("name", component.runtime().name(), "version", component.runtime().version()));
    variables.put("replicas", replicas);
    variables.put("config", config);
    variables.put("resources", resources(group.resources()));
    variables.put("storage", storage(group.storage()));
    variables.put("volumes", volumes());
    variables.put("components", siblings);
    return variables;
  }

  private static Map<String, Object> resources(Resources resources) {
    return resources == null
        ? Map.of()
        : fields("requests", resources.requests(), "limits", resources.limits());
  }

  private Map<String, Object> volumes() {
    Map<String, Object> volumes = new HashMap<>();
    Stream.ofNullable(group.volumes())
        .flatMap(List::stream)
        .forEach(volume -> volumes.put(volume.name(), storage(volume.storage())));
    return volumes;
  }

  private static Map<String, Object> storage(Storage storage) {
    return storage == null
        ? Map.of()
        : fields("size", storage.size(), "storageClassName", storage.storageClassName());
  }

  /** Without those that are null, as templates see them. */
  private static Map<String, Object> fields(
      String first, Object firstValue, String second, Object secondValue) {
    Map<String, Object> fields = new HashMap<>();
    Optional.ofNullable(firstValue).ifPresent(value -> fields.put(first, value));
    Optional.ofNullable(secondValue).ifPresent(value -> fields.put(second, value));
    return fields;
  }
}
