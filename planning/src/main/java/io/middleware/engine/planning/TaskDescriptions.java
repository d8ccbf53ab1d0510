package io.middleware.engine.planning;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Storage;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.placement.PodSettings;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.task.HookPoint;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.api.task.TaskHook;
import io.middleware.engine.api.task.TaskHooks;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.NoWayBack;
import io.middleware.engine.planning.app.SpecEquality;
import io.middleware.engine.planning.app.VolumeEdit;
import io.middleware.engine.planning.operation.OperationTargets;
import io.middleware.engine.planning.operation.RotatedValues;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Builds the descriptions of tasks for users. */
final class TaskDescriptions {
  private static final String ARROW = " → ";

  /** Of the numbers of pods on the way from one to another. */
  private static final int MOST_NAMED = 6;

  private TaskDescriptions() {}

  static String provision(ComponentSpec component) {
    return "provision " + size(component);
  }

  /**
   * What pods get beside what their plugin renders, if that differs. All of it is in the pod
   * template.
   */
  static Optional<String> pods(
      String group, PodSettings was, PodSettings desired, boolean isStopped) {
    var before = was.fields();
    var changed =
        desired.fields().entrySet().stream()
            .filter(field -> !SpecEquality.same(before.get(field.getKey()), field.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    return changed.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s of %s%s"
                .formatted(
                    String.join(", ", changed), group, isStopped ? "" : " (restarts its pods)"));
  }

  static String takeOver(ComponentSpec component) {
    return "take over " + size(component);
  }

  static String state(ComponentSpec component) {
    return component.isStopped()
        ? "stop " + component.component() + " (its volumes and configuration are kept)"
        : "start " + size(component);
  }

  /**
   * @param store name of the BackupStore
   */
  static String backup(String store) {
    return "back up to %s before the upgrade".formatted(store);
  }

  static String operation(Operation operation, ComponentSpec component, PluginSpec plugin) {
    if (operation.getSpec().action() == OperationAction.ROTATE_SECRETS) {
      return "rotate %s of %s; the earlier ones work for %s more"
          .formatted(
              RotatedValues.of(component, plugin).parameters().collect(joining(", ")),
              component.component(),
              OperationTargets.grace(operation).toString().substring(2).toLowerCase(Locale.ROOT));
    }
    var what = operation.getSpec().action().label().toLowerCase(Locale.ROOT);
    var named = OperationTargets.pods(operation);
    if (!named.isEmpty()) {
      var pods = "pod%s %s".formatted(named.size() == 1 ? "" : "s", String.join(", ", named));
      var to = operation.getSpec().action() == OperationAction.SWITCHOVER ? "to " : "";
      return "%s %s: %s%s".formatted(what, component.component(), to, pods);
    }
    var names = OperationTargets.groups(operation, component);
    var groups = ComponentSpecs.byName(component);
    var which =
        names.size() == groups.size()
            ? count(names.size(), "group")
            : "group " + String.join(", ", names);
    if (operation.getSpec().action() == OperationAction.PLUGIN) {
      return "run %s on %s: %s%s"
          .formatted(
              operation.getSpec().actionName(), component.component(), which, limits(operation));
    }
    var pods = names.stream().map(groups::get).mapToInt(TaskDescriptions::replicas).sum();
    return "%s %s: %s, %s".formatted(what, component.component(), which, count(pods, "pod"));
  }

  /** For example {@code , at most 1 replica of each}. */
  private static String limits(Operation operation) {
    var target = operation.getSpec().target();
    if (target == null || (target.role() == null && target.count() == null)) {
      return "";
    }
    var who =
        switch (target.role()) {
          case null -> "pod";
          case PRIMARY -> "primary";
          case REPLICA -> "replica";
        };
    return target.count() == null
        ? ", each %s only".formatted(who)
        : ", at most %s of each".formatted(count(target.count(), who));
  }

  /**
   * @param what a component or a group that an edit removes
   */
  static String removal(String what, boolean hasVolumes, AppSpec spec) {
    if (!hasVolumes) {
      return "remove " + what;
    }
    return spec.deletesVolumesOfRemovedParts()
        ? "remove %s and its volumes".formatted(what)
        : "remove %s (its volumes are kept)".formatted(what);
  }

  /** For example {@code storage of redis/a: 1Gi → 2Gi}. */
  static String storage(String group, VolumeEdit edit) {
    return "%s of %s: %s → %s"
        .formatted(
            edit.field().label(), group, shown(edit, edit.was()), shown(edit, edit.desired()));
  }

  private static String shown(VolumeEdit edit, Optional<Storage> storage) {
    if (storage.isEmpty()) {
      return edit.field().volume().isEmpty() ? "none of its own" : "none";
    }
    var name = Objects.requireNonNullElse(storage.get().storageClassName(), "the default class");
    return edit.changesClass() ? storage.get().size() + " of " + name : storage.get().size();
  }

  private static String size(ComponentSpec component) {
    var groups = ComponentSpecs.byName(component).values();
    var pods =
        component.isStopped() ? 0 : groups.stream().mapToInt(TaskDescriptions::replicas).sum();
    return "%s: %s, %s"
        .formatted(component.component(), count(groups.size(), "group"), count(pods, "pod"));
  }

  static String provision(String component, GroupTemplate group) {
    return "provision %s/%s: %s".formatted(component, group.name(), count(replicas(group), "pod"));
  }

  /**
   * @param was name and version
   * @param desired name and version
   */
  static String upgrade(String what, List<String> was, List<String> desired, String component) {
    var sameName = was.getFirst().equals(desired.getFirst());
    return "%s %s → %s on %s"
        .formatted(
            what,
            String.join(" ", was),
            sameName ? desired.getLast() : String.join(" ", desired),
            component);
  }

  /**
   * The description of a task, and what it runs before and after that.
   *
   * @param isFinal whether there is no way back once the hook has begun
   */
  static String with(TaskHooks hooks, Predicate<HookPoint> isFinal, String description) {
    return description
        + hooks.before().map(hook -> "; first runs " + named(hook, isFinal)).orElse("")
        + hooks.after().map(hook -> "; then runs " + named(hook, isFinal)).orElse("");
  }

  private static String named(TaskHook hook, Predicate<HookPoint> isFinal) {
    return hook.action()
        + (isFinal.test(hook.point()) ? " (final: no rollback once it has begun)" : "");
  }

  /** The description of an upgrade to a version from which there is no way back. */
  static String withoutWayBack(String description, RuntimeRef was, RuntimeRef desired) {
    var isSame = was.name().equals(desired.name());
    return "%s; no way back to %s once a pod has started with %s"
        .formatted(
            description,
            isSame ? was.version() : NoWayBack.name(was),
            isSame ? desired.version() : NoWayBack.name(desired));
  }

  /** Another number of pods; empty when it is the same. */
  static Optional<String> replicas(
      String group, GroupTemplate was, GroupTemplate desired, boolean oneByOne) {
    var from = replicas(was);
    var to = replicas(desired);
    if (from == to) {
      return Optional.empty();
    }
    var moves = oneByOne && from > 0 && to > 0;
    return Optional.of(
        "replicas of %s: %s%s"
            .formatted(
                group,
                moves ? numbers(from, to) : from + ARROW + to,
                moves ? ", one member at a time" : ""));
  }

  private static String numbers(int from, int to) {
    var step = to > from ? 1 : -1;
    var count = Math.abs(to - from);
    return count > MOST_NAMED
        ? "%d → %d → … → %d".formatted(from, from + step, to)
        : IntStream.rangeClosed(0, count)
            .mapToObj(i -> String.valueOf(from + i * step))
            .collect(joining(ARROW));
  }

  private static int replicas(GroupTemplate group) {
    return Objects.requireNonNullElse(group.replicas(), 1);
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** Of a component that is filled from a Backup, and is to begin otherwise. */
  static String beginning(ComponentSpec was, ComponentSpec desired) {
    return desired.restoreFrom() == null
        ? "%s begins without Backup %s".formatted(was.component(), was.restoreFrom().backup())
        : "%s begins with Backup %s instead of %s"
            .formatted(was.component(), desired.restoreFrom().backup(), was.restoreFrom().backup());
  }
}
