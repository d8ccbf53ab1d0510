package io.middleware.engine.planning.operation;

import static java.util.stream.Collectors.joining;

import com.google.common.hash.Hashing;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.plugin.ActionPods;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Parameter;
import io.middleware.engine.api.plugin.ParameterType;
import io.middleware.engine.api.plugin.PluginAction;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.app.SpecDurations;
import io.middleware.engine.planning.validation.ParameterRules;
import io.middleware.engine.render.ActionJob;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The actions that a Plugin offers, and what an Operation asks of them. */
public record PluginActions(PluginSpec plugin) {
  /** As many as the status of an Operation can show. */
  private static final int MOST_PODS = 1000;

  /** The task's timeout, which says what the Job waited for, comes before that of its Job. */
  private static final Duration BEHIND_TASK = Duration.ofSeconds(30);

  /** The name of a Job is a label of its pods. */
  private static final int LONGEST_NAME = 63;

  private static final int HASH_LENGTH = 10;
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,18}");

  /** The action of this name of a component type. */
  public Optional<PluginAction> find(String type, String action) {
    return new PluginCatalog(plugin).type(type).flatMap(it -> PluginCatalog.action(it, action));
  }

  /** The values of all parameters of an action, as text. */
  public static Map<String, String> parameters(PluginAction action, Operation operation) {
    var values = new TreeMap<>(defaults(action));
    values.putAll(given(operation));
    return values;
  }

  /** The values of all parameters of an action that have a default, as text. */
  public static Map<String, String> defaults(PluginAction action) {
    var values = new TreeMap<String, String>();
    for (var parameter : PluginCatalog.parameters(action)) {
      if (parameter.defaultValue() != null) {
        values.put(parameter.name(), String.valueOf(parameter.defaultValue()));
      }
    }
    return values;
  }

  /**
   * The Job that runs an action in a group: the same whenever it is asked for.
   *
   * @param action that a Job runs
   */
  public static ActionJob job(PluginAction action, Operation operation, GroupSpec group) {
    var spec = operation.getSpec();
    return new ActionJob(
        action,
        jobName(action, operation, group),
        parameters(action, operation),
        deadline(SpecDurations.parse(action.timeout()), SpecDurations.parse(spec.timeout())),
        SpecDurations.parse(spec.killTimeout()));
  }

  private static Optional<Duration> deadline(
      Optional<Duration> ofAction, Optional<Duration> ofTask) {
    return ofAction
        .filter(it -> ofTask.map(limit -> it.compareTo(limit) < 0).orElse(true))
        .or(() -> ofTask.map(BEHIND_TASK::plus));
  }

  private static String jobName(PluginAction action, Operation operation, GroupSpec group) {
    var name = Labels.groupName(group.app(), group.component(), group.group());
    var hash =
        Hashing.sha256()
            .hashString(operation.getMetadata().getUid() + "/" + name, StandardCharsets.UTF_8)
            .toString()
            .substring(0, HASH_LENGTH);
    var readable = name + "-" + action.name();
    return readable.substring(0, Math.min(readable.length(), LONGEST_NAME - HASH_LENGTH - 1))
        + "-"
        + hash;
  }

  /** Of these components, those on which the Operation can run; for a built-in action, all. */
  public List<DeployedComponent> offering(Operation operation, List<DeployedComponent> components) {
    return isBuiltIn(operation)
        ? components
        : components.stream().filter(it -> find(operation, it.spec()).isPresent()).toList();
  }

  /**
   * Why the Operation cannot run on these components, naming the field.
   *
   * @param components that it targets
   */
  public List<String> problems(Operation operation, List<DeployedComponent> components) {
    if (isBuiltIn(operation)) {
      return given(operation).isEmpty()
          ? List.of()
          : List.of("spec.parameters: %s has none".formatted(operation.getSpec().actionName()));
    }
    var specs = components.stream().map(DeployedComponent::spec).toList();
    var offering = specs.stream().filter(it -> find(operation, it).isPresent()).toList();
    var targeted = operation.getSpec().target() != null;
    if (offering.isEmpty() || (targeted && offering.size() < specs.size())) {
      return List.of(unknown(operation));
    }
    return Stream.of(
            offering.stream()
                .map(ComponentSpec::type)
                .distinct()
                .flatMap(type -> wrong(operation, find(type, name(operation)).orElseThrow())),
            withoutAgents(operation, offering).stream(),
            narrowed(operation, offering).stream(),
            tooMany(operation, offering).stream())
        .flatMap(problems -> problems)
        .toList();
  }

  /**
   * Why the Operation cannot run beside changes, naming the field; none when it can.
   *
   * @param operation whose run takes no run lock
   */
  public List<String> exclusive(Operation operation) {
    return !isBuiltIn(operation) && plugin.isShared(name(operation))
        ? List.of()
        : List.of(
            "spec.action: %s of Plugin %s %s is exclusive by now: create another Operation"
                .formatted(name(operation), plugin.name(), plugin.version()));
  }

  private static Stream<String> wrong(Operation operation, PluginAction action) {
    return new ParameterRules(action)
        .problems("spec.parameters", typed(action, given(operation))).stream();
  }

  private Optional<String> withoutAgents(Operation operation, List<ComponentSpec> components) {
    return plugin.hasAgents() || components.stream().allMatch(it -> isJob(operation, it))
        ? Optional.empty()
        : Optional.of(
            "spec.action: Plugin %s %s has no agents, which would run it"
                .formatted(plugin.name(), plugin.version()));
  }

  private Optional<String> narrowed(Operation operation, List<ComponentSpec> components) {
    var target = operation.getSpec().target();
    var isNarrow = target != null && (target.role() != null || target.count() != null);
    return isNarrow && !components.stream().allMatch(it -> runsOnEach(operation, it))
        ? Optional.of(
            "spec.target: %s does not run on each pod, so it takes neither role nor count"
                .formatted(name(operation)))
        : Optional.empty();
  }

  private boolean runsOnEach(Operation operation, ComponentSpec component) {
    return find(operation, component)
        .filter(it -> !it.isJob() && it.pods() == ActionPods.EACH)
        .isPresent();
  }

  private Optional<String> tooMany(Operation operation, List<ComponentSpec> components) {
    var pods = components.stream().mapToInt(it -> runs(operation, it)).sum();
    return pods <= MOST_PODS
        ? Optional.empty()
        : Optional.of(
            "spec.target: it has %d pods, and an action runs on %d at most: name some of its groups"
                .formatted(pods, MOST_PODS));
  }

  private int runs(Operation operation, ComponentSpec component) {
    var groups = OperationTargets.groups(operation, component);
    return isJob(operation, component)
        ? groups.size()
        : groups.stream()
            .map(ComponentSpecs.byName(component)::get)
            .mapToInt(group -> group.replicas() == null ? 1 : group.replicas())
            .sum();
  }

  private boolean isJob(Operation operation, ComponentSpec component) {
    return find(operation, component).filter(PluginAction::isJob).isPresent();
  }

  private String unknown(Operation operation) {
    var offered =
        new PluginCatalog(plugin)
            .types().stream()
                .filter(type -> !PluginCatalog.actions(type).isEmpty())
                .map(PluginActions::described)
                .collect(joining("; "));
    return "spec.action: Plugin %s %s has no action %s for the targeted components; it has: %s"
        .formatted(
            plugin.name(), plugin.version(), name(operation), offered.isEmpty() ? "none" : offered);
  }

  /** For example {@code flush, save (type redis)}. */
  private static String described(ComponentType type) {
    return PluginCatalog.actions(type).stream()
        .map(PluginAction::name)
        .collect(joining(", ", "", " (type %s)".formatted(type.name())));
  }

  /** The values as their parameters want them, where they can be read so. */
  private static Map<String, Object> typed(PluginAction action, Map<String, String> given) {
    var values = new TreeMap<String, Object>(given);
    for (var parameter : PluginCatalog.parameters(action)) {
      values.computeIfPresent(parameter.name(), (name, text) -> typed(parameter, (String) text));
    }
    return values;
  }

  private static Object typed(Parameter parameter, String text) {
    var type = parameter.type() == null ? ParameterType.STRING : parameter.type();
    return switch (type) {
      case STRING, SECRET -> text;
      case INTEGER -> INTEGER.matcher(text).matches() ? Long.valueOf(text) : text;
      case BOOLEAN -> "true".equals(text) || "false".equals(text) ? Boolean.valueOf(text) : text;
    };
  }

  private Optional<PluginAction> find(Operation operation, ComponentSpec component) {
    return find(component.type(), name(operation));
  }

  private static String name(Operation operation) {
    return operation.getSpec().actionName();
  }

  private static boolean isBuiltIn(Operation operation) {
    return operation.getSpec().action() != OperationAction.PLUGIN;
  }

  private static Map<String, String> given(Operation operation) {
    var parameters = operation.getSpec().parameters();
    return parameters == null ? Map.of() : parameters;
  }
}
