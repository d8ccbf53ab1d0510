package io.middleware.engine.watcher.health;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The runtime that an App's pods have, for people: {@code 7.2}, or {@code 7.2 → 7.4} while it
 * changes. A Component names the new one before its first pod is replaced, so until the change is
 * complete the old one is the one that the status has named before.
 *
 * @param changing whether a change runs
 */
record DeployedRuntime(App app, List<Component> components, boolean changing) {
  private static final String ARROW = "→ ";

  /** Null when nothing is deployed, nor about to be. */
  String text() {
    var deployed = deployed();
    var desired = desired();
    if (desired.isEmpty() || !isIncomplete()) {
      return deployed.isEmpty() ? null : deployed;
    }
    var before = before().orElse(deployed);
    if (before.equals(desired.get())) {
      return before;
    }
    return before.isEmpty() ? ARROW + desired.get() : before + " " + ARROW + desired.get();
  }

  private boolean isIncomplete() {
    return !app.isMarkedForDeletion()
        && (changing || components.stream().anyMatch(DeployedRuntime::isUnfinished));
  }

  private static boolean isUnfinished(Component component) {
    var annotations = component.getMetadata().getAnnotations();
    return annotations != null && !annotations.getOrDefault(Labels.UNFINISHED, "").isEmpty();
  }

  private Optional<String> before() {
    return Optional.ofNullable(app.getStatus())
        .map(AppStatus::runtime)
        .map(text -> text.contains(ARROW) ? text.substring(0, text.indexOf(ARROW)).strip() : text);
  }

  private String deployed() {
    return components.stream()
        .map(Component::getSpec)
        .filter(spec -> spec != null && spec.runtime() != null)
        .map(spec -> spec.runtime().version())
        .filter(Objects::nonNull)
        .distinct()
        .sorted()
        .collect(joining(", "));
  }

  private Optional<String> desired() {
    return Optional.ofNullable(app.getSpec())
        .map(spec -> spec.runtime())
        .map(runtime -> runtime.version());
  }
}
