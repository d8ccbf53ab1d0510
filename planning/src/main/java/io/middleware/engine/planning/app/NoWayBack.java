package io.middleware.engine.planning.app;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What keeps a Component from going back to a version that it had. It is kept in an annotation of
 * the Component, and written before what it tells of begins.
 *
 * @param origins the versions that an upgrade with hooks comes from, until it has finished
 * @param behind the versions to which there is no way back, each with the reason
 * @param task whose final hook has begun; null when none has, or the task has ended
 * @param hook that hook, for people
 * @param type label of the type of that task; null when none, or when an older engine has kept it
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record NoWayBack(
    SortedSet<String> origins,
    SortedMap<String, String> behind,
    String task,
    String hook,
    String type) {
  public static final NoWayBack NONE = new NoWayBack(null, null, null, null, null);

  private static final ObjectMapper JSON = new ObjectMapper();

  public NoWayBack {
    origins = origins == null ? new TreeSet<>() : new TreeSet<>(origins);
    behind = behind == null ? new TreeMap<>() : new TreeMap<>(behind);
  }

  /**
   * What is kept on the Component.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it cannot be read
   */
  public static NoWayBack of(Component component) {
    var annotations = component.getMetadata().getAnnotations();
    var text = annotations == null ? null : annotations.get(Labels.NO_WAY_BACK);
    try {
      return text == null ? NONE : JSON.readValue(text, NoWayBack.class);
    } catch (JsonProcessingException e) {
      throw Faults.of(
          FaultKind.INVALID,
          "annotation %s of Component %s cannot be read: correct it, or remove it if the App may go back to any version"
              .formatted(Labels.NO_WAY_BACK, component.getMetadata().getName()));
    }
  }

  /** A version of a runtime, as it is named here. */
  public static String name(RuntimeRef runtime) {
    return runtime.name() + " " + runtime.version();
  }

  /** A version of a Plugin, as it is named here. */
  public static String name(PluginRef plugin) {
    return "Plugin %s %s".formatted(plugin.name(), plugin.version());
  }

  /** The same when an upgrade begins that comes from these versions. */
  public NoWayBack from(Collection<String> versions) {
    return new NoWayBack(new TreeSet<>(versions), behind, task, hook, type);
  }

  /** The same without a way back to these versions. */
  public NoWayBack without(Collection<String> versions, String why) {
    var more = new TreeMap<>(behind);
    versions.forEach(version -> more.putIfAbsent(version, why));
    return new NoWayBack(origins, more, task, hook, type);
  }

  /** The same when a final hook of the task is about to begin. */
  public NoWayBack begun(String id, ChangeType of, String why) {
    return new NoWayBack(origins, behind, id, why, of.label());
  }

  /**
   * The same when a task has ended.
   *
   * @param upgraded whether it was a finished upgrade
   */
  public NoWayBack ended(String id, boolean upgraded) {
    var rest = upgraded || id.equals(task) ? ofNextTask() : this;
    return upgraded ? rest.from(List.of()) : rest;
  }

  /** The same when a task begins that is not the one whose final hook has begun. */
  public NoWayBack ofNextTask() {
    return new NoWayBack(origins, behind, null, null, null);
  }

  /** The final hook that has begun of an upgrade; empty when none has. */
  public Optional<String> upgradeHook() {
    return Optional.ofNullable(hook)
        .filter(it -> type == null || type.equals(ChangeType.VERSION_UPGRADE.label()));
  }

  /** Whether a final hook of this task has begun. */
  public boolean hasBegun(String id) {
    return id.equals(task);
  }

  public Map<String, String> annotations() {
    if (equals(NONE)) {
      return Map.of();
    }
    try {
      return Map.of(Labels.NO_WAY_BACK, JSON.writeValueAsString(this));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("versions cannot be written as JSON", e);
    }
  }
}
