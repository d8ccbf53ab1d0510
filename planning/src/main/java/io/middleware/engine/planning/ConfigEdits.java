package io.middleware.engine.planning;

import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.SpecEquality;
import io.middleware.engine.render.GroupAccount;
import io.middleware.engine.render.SecretReference;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parameter changes of a component's groups, and whether each needs a restart. A change that
 * all groups share is listed once.
 */
final class ConfigEdits {
  private static final int LONGEST_VALUE = 40;

  private final String component;
  private final List<String> groups;
  private final Set<String> hot;
  private final Set<String> sensitive = new HashSet<>();
  private final Optional<ChangeType> unfinished;
  private final Map<Edit, List<String>> edits = new LinkedHashMap<>();

  /**
   * @param unfinished an earlier change that the same task completes, which may restart pods
   */
  ConfigEdits(
      DesiredApp desiredApp,
      ComponentSpec component,
      List<String> groups,
      Optional<ChangeType> unfinished) {
    this.component = component.component();
    this.groups = groups;
    this.hot = desiredApp.hot(component);
    this.sensitive.addAll(SensitiveParameters.of(desiredApp.plugin()).declared());
    this.unfinished = unfinished;
  }

  /**
   * @param before the Plugin with which the group was rendered, whose secrets are secrets still
   */
  void compare(
      String group, PluginSpec before, Map<String, Object> was, Map<String, Object> desired) {
    sensitive.addAll(SensitiveParameters.of(before).declared());
    var names = new TreeSet<>(was.keySet());
    names.addAll(desired.keySet());
    for (var name : names) {
      if (!SpecEquality.same(was.get(name), desired.get(name))) {
        edits
            .computeIfAbsent(
                new Edit(name, was.get(name), desired.get(name)), none -> new ArrayList<>())
            .add(group);
      }
    }
  }

  Stream<String> descriptions() {
    return edits.entrySet().stream()
        .map(edit -> values(edit.getKey(), subject(edit.getValue())) + effect(edit.getKey()));
  }

  /** More people can read statuses than configurations. */
  private String values(Edit edit, String subject) {
    if (edit.isSecret()) {
      return "%s of %s: %s".formatted(edit.parameter(), subject, edit.secrets());
    }
    return "%s of %s%s"
        .formatted(
            edit.parameter(),
            subject,
            new SensitiveParameters(sensitive).contain(edit.parameter())
                ? " " + SensitiveParameters.HIDDEN
                : ": " + edit.shown());
  }

  /** A value that is added or removed cannot be reloaded, only one that is replaced. */
  private String effect(Edit edit) {
    var reloads =
        GroupAccount.isOne(edit.parameter())
            || hot.contains(edit.parameter()) && edit.was() != null && edit.desired() != null;
    return reloads ? unfinished.map(ConfigEdits::completing).orElse(" (hot)") : " (restart)";
  }

  private static String completing(ChangeType earlier) {
    return " (completes the unfinished %s: pods may restart)".formatted(earlier.label());
  }

  private String subject(List<String> changed) {
    return changed.size() == groups.size()
        ? component
        : component + "/" + String.join(", ", changed);
  }

  private record Edit(String parameter, Object was, Object desired) {
    /** Where long lists would look alike, what comes and what goes. */
    String shown() {
      var before = shown(was);
      var after = shown(desired);
      return before.equals(after)
          ? "%s → %s".formatted(words(was, desired), words(desired, was))
          : before + " → " + after;
    }

    private static String words(Object some, Object others) {
      var known = List.of(String.valueOf(others).split("\\s+"));
      return shown(
          Stream.of(String.valueOf(some).split("\\s+"))
              .filter(word -> !known.contains(word))
              .collect(Collectors.joining(" ", "… ", ""))
              .strip());
    }

    private static String shown(Object value) {
      return value == null ? "(none)" : Excerpt.within(value.toString(), LONGEST_VALUE);
    }

    boolean isSecret() {
      return SensitiveParameters.isReference(was) || SensitiveParameters.isReference(desired);
    }

    String secrets() {
      return name(was).equals(name(desired))
          ? name(was) + " has changed"
          : name(was) + " → " + name(desired);
    }

    private static String name(Object value) {
      return SecretReference.of(value)
          .map(it -> "key %s of Secret %s".formatted(it.key(), it.name()))
          .orElse("(none)");
    }
  }
}
