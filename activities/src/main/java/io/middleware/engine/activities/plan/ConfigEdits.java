package io.middleware.engine.activities.plan;

import io.middleware.engine.api.task.ChangeType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The parameter changes of a component's groups, and whether each needs a restart. A change that
 * all groups share is listed once.
 */
final class ConfigEdits {
  /** Values of these parameters are hidden: more people can read statuses than configurations. */
  private static final Pattern CONFIDENTIAL =
      Pattern.compile("(?i)pass|secret|token|credential|auth|key");

  private static final int LONGEST_VALUE = 40;

  private final String component;
  private final List<String> groups;
  private final Set<String> hot;
  private final Optional<ChangeType> unfinished;
  private final Map<Edit, List<String>> edits = new LinkedHashMap<>();

  /**
   * @param hot the parameters that running pods can reload
   * @param unfinished an earlier change that the same task completes, which may restart pods
   */
  ConfigEdits(
      String component, List<String> groups, Set<String> hot, Optional<ChangeType> unfinished) {
    this.component = component;
    this.groups = groups;
    this.hot = hot;
    this.unfinished = unfinished;
  }

  void compare(String group, Map<String, Object> was, Map<String, Object> desired) {
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
        .map(edit -> edit.getKey().of(subject(edit.getValue())) + effect(edit.getKey()));
  }

  /** A value that is added or removed cannot be reloaded, only one that is replaced. */
  private String effect(Edit edit) {
    var reloads = hot.contains(edit.parameter()) && edit.was() != null && edit.desired() != null;
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
    String of(String subject) {
      var change =
          CONFIDENTIAL.matcher(parameter).find()
              ? " (not shown)"
              : ": " + shown(was) + " → " + shown(desired);
      return parameter + " of " + subject + change;
    }

    private static String shown(Object value) {
      return value == null ? "(none)" : TaskDescriptions.cut(value.toString(), LONGEST_VALUE);
    }
  }
}
