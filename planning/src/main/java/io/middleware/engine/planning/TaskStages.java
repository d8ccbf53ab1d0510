package io.middleware.engine.planning;

import static java.util.stream.Collectors.groupingBy;

import io.middleware.engine.api.plugin.Orders;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.Scenario;
import io.middleware.engine.planning.app.PluginCatalog;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Groups changes into stages: one type after the other, and within a type in the plugin's component
 * order. Changes of one stage run in parallel.
 *
 * <p>A backup comes before everything. Then a stop comes first, and a start follows all changes to
 * existing groups, so that no pod restarts needlessly: those changes are deployed while there are
 * no pods. New groups are then provisioned, and removals come last. Between the two, values that
 * are derived from other components change.
 */
final class TaskStages {
  private static final List<ChangeType> LAST =
      List.of(ChangeType.START, ChangeType.PROVISION, ChangeType.REMOVE);

  private static final List<ChangeType> OF_OPERATIONS =
      List.of(
          ChangeType.RESTART,
          ChangeType.REAPPLY,
          ChangeType.SWITCHOVER,
          ChangeType.REBUILD,
          ChangeType.ROTATE_SECRETS,
          ChangeType.ACTION);

  private final PluginSpec plugin;

  TaskStages(PluginSpec plugin) {
    this.plugin = plugin;
  }

  /** The changes, first stage first; no stage is empty. */
  List<List<PlannedChange>> of(List<PlannedChange> changes) {
    return of(changes, Set.of());
  }

  /**
   * @param followers components whose derived values change: their Config comes after the groups
   *     that other components get, and before those that they lose
   */
  List<List<PlannedChange>> of(List<PlannedChange> changes, Set<String> followers) {
    var parts = new TreeMap<>(changes.stream().collect(groupingBy(it -> part(it, followers))));
    return parts.values().stream()
        .flatMap(part -> typeOrder().flatMap(type -> inOrder(type, part)))
        .toList();
  }

  private static Part part(PlannedChange change, Set<String> followers) {
    return switch (change.type()) {
      case REMOVE -> Part.REMOVED;
      case CONFIG, PROVISION ->
          followers.contains(change.component()) ? Part.FOLLOWING : Part.FIRST;
      default -> Part.FIRST;
    };
  }

  private enum Part {
    FIRST,
    FOLLOWING,
    REMOVED
  }

  private Stream<ChangeType> typeOrder() {
    Set<ChangeType> order = new LinkedHashSet<>(List.of(ChangeType.BACKUP, ChangeType.STOP));
    order.addAll(new PluginCatalog(plugin).taskOrder());
    order.addAll(OF_OPERATIONS);
    order.addAll(LAST);
    return order.stream();
  }

  private Stream<List<PlannedChange>> inOrder(ChangeType type, List<PlannedChange> changes) {
    var open = new ArrayList<>(changes.stream().filter(change -> change.type() == type).toList());
    var stages = new ArrayList<List<PlannedChange>>();
    for (var names : order(type.scenario())) {
      var stage = open.stream().filter(change -> names.contains(change.component())).toList();
      stages.add(stage);
      open.removeAll(stage);
    }
    stages.add(open);
    return stages.stream().filter(stage -> !stage.isEmpty());
  }

  private List<List<String>> order(Scenario scenario) {
    var entries = plugin.orders() == null ? null : entries(plugin.orders(), scenario);
    return entries == null ? List.of() : entries.stream().map(TaskStages::together).toList();
  }

  private static List<Object> entries(Orders orders, Scenario scenario) {
    return switch (scenario) {
      case PROVISION -> orders.provision();
      case STOP -> orders.stop();
      case UPDATE -> orders.update();
      case UPGRADE -> orders.upgrade();
    };
  }

  private static List<String> together(Object entry) {
    return entry instanceof List<?> inner
        ? inner.stream().map(String::valueOf).toList()
        : List.of(String.valueOf(entry));
  }
}
