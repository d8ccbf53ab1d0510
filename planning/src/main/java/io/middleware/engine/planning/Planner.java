package io.middleware.engine.planning;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.BackupSettings;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.change.ChangeSettings;
import io.middleware.engine.api.change.UndoAction;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangePlan;
import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.api.task.TaskPolicy;
import io.middleware.engine.api.task.UndoPolicy;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.workflows.port.OperationRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes the tasks of a change; a pure function of the desired and the deployed state. */
final class Planner {
  private final TaskPolicies policies;

  Planner(TaskPolicies policies) {
    this.policies = policies;
  }

  /**
   * The tasks that lead from the deployed to the desired state; none when both are the same.
   *
   * @param more that no difference of the specs asks for: the backup before them, and volumes that
   *     the templates want larger
   */
  ChangePlan change(
      long generation,
      DesiredApp desiredApp,
      List<DeployedComponent> deployed,
      List<PlannedChange> more) {
    var changes =
        Stream.concat(more.stream(), ComponentDiff.of(desiredApp, deployed).stream()).toList();
    var stages =
        new TaskStages(desiredApp.plugin())
            .of(changes, new Followers(desiredApp, deployed).names());
    var sources =
        new PolicySources(
            Optional.ofNullable(desiredApp.spec().change()),
            Optional.of(desiredApp.plugin()),
            Optional.ofNullable(desiredApp.spec().backup()));
    var plan =
        new PlannedWayBack(desiredApp, deployed)
            .into(plan(generation, false, stages, sources, sizes(desiredApp, deployed)));
    return new PlannedChecks(desiredApp, deployed)
        .into(PlannedHooks.ofChange(desiredApp, deployed).into(plan));
  }

  /**
   * The same plan with the checks that follow the whole change, as its last tasks.
   *
   * @param owed components whose checks an earlier run of the same change has left undone
   */
  ChangePlan checked(ChangePlan plan, DesiredApp desiredApp, Set<String> owed) {
    return new FinalChecks(desiredApp, owed)
        .into(
            plan,
            policies.of(
                ChangeType.CHECK,
                Optional.ofNullable(desiredApp.spec().change()),
                Optional.of(desiredApp.plugin())));
  }

  /**
   * The tasks that remove every component, in the plugin's {@code stop} order; without a plugin,
   * one after the other in order of name.
   *
   * @param spec empty when it cannot be read
   * @param sizes of the components; empty where that is not known
   */
  ChangePlan teardown(
      long generation,
      Optional<AppSpec> spec,
      Optional<PluginSpec> plugin,
      Map<String, Optional<ComponentSize>> sizes) {
    var removals = sizes.keySet().stream().sorted().map(ComponentDiff::removal).toList();
    var stages =
        plugin
            .map(known -> new TaskStages(known).of(removals))
            .orElseGet(() -> removals.stream().map(List::of).toList());
    var sources = new PolicySources(spec.map(AppSpec::change), plugin, Optional.empty());
    return plan(generation, true, stages, sources, sizes);
  }

  /** The tasks of an Operation: one for each component, in the order of an update. */
  ChangePlan operation(
      App app, Operation operation, PluginSpec plugin, List<DeployedComponent> targeted) {
    var type = type(operation.getSpec().action());
    var changes =
        targeted.stream()
            .map(
                component ->
                    new PlannedChange(
                        component.component(),
                        type,
                        TaskDescriptions.operation(operation, component.spec(), plugin)))
            .toList();
    var sources =
        new PolicySources(
            Optional.ofNullable(app.getSpec().change()), Optional.of(plugin), Optional.empty());
    var plan =
        plan(
            app.getMetadata().getGeneration(),
            false,
            new TaskStages(plugin).of(changes),
            sources,
            sizes(targeted));
    var suffix = "-" + OperationRef.shortUid(operation.getMetadata().getUid());
    return plan.ofOperation(
        suffix,
        TaskPolicies.of(
            operation, policies.of(ChangeType.CONFIG, sources.app(), sources.plugin())));
  }

  private static ChangeType type(OperationAction action) {
    return switch (action) {
      case RESTART -> ChangeType.RESTART;
      case REAPPLY -> ChangeType.REAPPLY;
      case SWITCHOVER -> ChangeType.SWITCHOVER;
      case REBUILD -> ChangeType.REBUILD;
      case ROTATE_SECRETS -> ChangeType.ROTATE_SECRETS;
      case PLUGIN -> ChangeType.ACTION;
    };
  }

  private static Map<String, Optional<ComponentSize>> sizes(List<DeployedComponent> deployed) {
    return deployed.stream()
        .collect(
            Collectors.toMap(
                DeployedComponent::component, one -> Optional.of(ComponentSize.of(one.spec()))));
  }

  private ChangePlan plan(
      long generation,
      boolean deletion,
      List<List<PlannedChange>> stages,
      PolicySources sources,
      Map<String, Optional<ComponentSize>> sizes) {
    var alone = stages.stream().flatMap(List::stream).filter(Planner::isOfComponent).count() == 1;
    var tasks = new ArrayList<ChangeTask>();
    for (int stage = 0; stage < stages.size(); stage++) {
      for (var change : stages.get(stage)) {
        var size =
            isOfComponent(change) ? sizes.get(change.component()) : Optional.<ComponentSize>empty();
        tasks.add(
            new ChangeTask(
                id(generation, change.type(), change.component()),
                change.type(),
                change.component(),
                change.description(),
                stage,
                size.filter(ComponentSize::isSmall).isPresent(),
                alone && size.filter(ComponentSize::isOneSmallGroup).isPresent(),
                policy(change.type(), sources)));
      }
    }
    return new ChangePlan(
        generation, deletion, tasks, policies.rolling(sources.app()), undo(sources.app()));
  }

  private static boolean isOfComponent(PlannedChange change) {
    return change.type() != ChangeType.BACKUP;
  }

  private TaskPolicy policy(ChangeType type, PolicySources sources) {
    return switch (type) {
      case BACKUP -> policies.ofBackup(sources.backup().orElseThrow(), sources.app());
      case REAPPLY -> policies.of(ChangeType.CONFIG, sources.app(), sources.plugin());
      default -> policies.of(type, sources.app(), sources.plugin());
    };
  }

  private static Map<String, Optional<ComponentSize>> sizes(
      DesiredApp desiredApp, List<DeployedComponent> deployed) {
    var was = deployed.stream().map(DeployedComponent::spec);
    return Stream.concat(was, desiredApp.components().values().stream())
        .collect(
            Collectors.toMap(
                ComponentSpec::component,
                spec -> Optional.of(ComponentSize.of(spec)),
                (before, after) -> Optional.of(before.get().and(after.get()))));
  }

  private static UndoPolicy undo(Optional<ChangeSettings> app) {
    return new UndoPolicy(
        !app.map(ChangeSettings::onCancel).filter(UndoAction.HOLD::equals).isPresent(),
        app.map(ChangeSettings::onFailure).filter(UndoAction.ROLLBACK::equals).isPresent());
  }

  static String id(long generation, ChangeType type, String component) {
    return generation + "-" + type.label().toLowerCase(Locale.ROOT) + "-" + component;
  }

  private record PolicySources(
      Optional<ChangeSettings> app, Optional<PluginSpec> plugin, Optional<BackupSettings> backup) {}
}
