package io.middleware.engine.planning.operation;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.api.App;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationTarget;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.planning.app.AppRefusedException;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.SpecDurations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The components and groups that an Operation works on. */
public final class OperationTargets {
  /** A kubelet brings a changed Secret to the pods that mount it within about two minutes. */
  private static final Duration GRACE = Duration.ofMinutes(10);

  private OperationTargets() {}

  /**
   * The names of a component's groups that the Operation works on, in their order; those that the
   * component does not have are left out.
   */
  public static List<String> groups(Operation operation, ComponentSpec component) {
    var all = List.copyOf(ComponentSpecs.byName(component).keySet());
    var target = operation.getSpec().target();
    if (target == null) {
      return all;
    }
    if (!component.component().equals(target.component())) {
      return List.of();
    }
    return isAll(target) ? all : all.stream().filter(target.groups()::contains).toList();
  }

  /** The pods that the Operation names; empty when it names none. */
  public static List<String> pods(Operation operation) {
    return Optional.ofNullable(operation.getSpec().target())
        .map(OperationTarget::named)
        .orElseGet(List::of);
  }

  /** How long earlier secrets work beside those that an Operation has published. */
  public static Duration grace(Operation operation) {
    return SpecDurations.parse(operation.getSpec().grace()).orElse(GRACE);
  }

  /** The spec of a Component once the Operation has begun on a group of it. Idempotent. */
  public static ComponentSpec begun(Operation operation, ComponentSpec current, String group) {
    return operation.getSpec().action() == OperationAction.RESTART
        ? ComponentSpecs.restarted(current, group, operation.getMetadata().getUid())
        : current;
  }

  private static boolean isAll(OperationTarget target) {
    return target.groups() == null || target.groups().isEmpty();
  }

  /**
   * The components that an Operation works on.
   *
   * @param plugin which is the same for all
   * @param left those that are not done yet
   */
  public record Targeted(PluginRef plugin, List<DeployedComponent> left) {}

  /**
   * The deployed components that the Operation works on.
   *
   * @param done names of those that an earlier run has done
   * @throws AppRefusedException when it cannot work on the others as they are, naming the field
   */
  public static Targeted of(
      App app, Operation operation, List<DeployedComponent> deployed, Set<String> done) {
    var targeted =
        deployed.stream().filter(one -> !groups(operation, one.spec()).isEmpty()).toList();
    var left = targeted.stream().filter(one -> !done.contains(one.component())).toList();
    var problems = new ArrayList<>(missing(app, operation, deployed));
    left.forEach(one -> unready(one).ifPresent(problems::add));
    if (problems.isEmpty() && targeted.isEmpty()) {
      problems.add("spec.app: App %s has no pods".formatted(operation.getSpec().app()));
    }
    if (targeted.stream().map(one -> one.spec().plugin()).distinct().count() > 1) {
      problems.add("spec.target: the components use different Plugins: name one of them");
    }
    if (!problems.isEmpty()) {
      throw new AppRefusedException(Reasons.OPERATION_REFUSED, String.join("; ", problems));
    }
    return new Targeted(targeted.getFirst().spec().plugin(), left);
  }

  private static List<String> missing(
      App app, Operation operation, List<DeployedComponent> deployed) {
    var target = operation.getSpec().target();
    if (target == null) {
      return List.of();
    }
    Map<String, DeployedComponent> known = new TreeMap<>();
    deployed.forEach(one -> known.put(one.component(), one));
    var component = known.get(target.component());
    if (component == null) {
      return List.of(
          "spec.target.component: App %s has no component %s; there are: %s"
              .formatted(
                  app.getMetadata().getName(),
                  target.component(),
                  String.join(", ", known.keySet())));
    }
    var groups = ComponentSpecs.byName(component.spec()).keySet();
    return isAll(target)
        ? List.of()
        : target.groups().stream()
            .filter(name -> !groups.contains(name))
            .map(
                name ->
                    "spec.target.groups: component %s has no group %s; there are: %s"
                        .formatted(
                            target.component(), name, groups.stream().collect(joining(", "))))
            .toList();
  }

  private static Optional<String> unready(DeployedComponent component) {
    if (!component.unfinished().isEmpty()) {
      return Optional.of(
          "component %s has an unfinished %s: retry it, or edit the App"
              .formatted(
                  component.component(),
                  component.unfinished().stream()
                      .map(ChangeType::label)
                      .sorted()
                      .collect(joining(" and "))));
    }
    return component.spec().isStopped()
        ? Optional.of("component %s is stopped: it has no pods".formatted(component.component()))
        : Optional.empty();
  }
}
