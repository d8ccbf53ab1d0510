package io.middleware.engine.planning.derived;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.UsedComponent;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.planning.app.AppRefusedException;
import io.middleware.engine.planning.app.PluginCatalog;
import io.middleware.engine.planning.app.Refusal;
import io.middleware.engine.planning.app.Siblings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** The components of other Apps that an App works with, as they are deployed. */
public final class UsedApps {
  private final KubernetesClient client;
  private final Plugins plugins;

  /**
   * @param client with the engine's own rights
   * @param plugins with which the other Apps are made
   */
  public UsedApps(KubernetesClient client, Plugins plugins) {
    this.client = client;
    this.plugins = plugins;
  }

  /**
   * The components that the App names, as expressions see them: with {@code app} and {@code
   * component} beside what {@link Siblings} gives.
   *
   * @throws AppRefusedException when one is not there, or the Apps use each other in a circle
   */
  public List<Map<String, Object>> of(App app) {
    var uses = uses(app);
    if (uses.isEmpty()) {
      return List.of();
    }
    var namespace = app.getMetadata().getNamespace();
    var found = new ArrayList<Component>();
    var problems = new ArrayList<String>();
    for (var i = 0; i < uses.size(); i++) {
      var used = uses.get(i);
      var field = "spec.uses[%d]: ".formatted(i);
      component(app, used)
          .ifPresentOrElse(found::add, () -> problems.add(field + missing(app, used)));
    }
    new UseCycle(name -> read(namespace, name).map(UsedApps::uses).orElse(List.of()))
        .of(app.getMetadata().getName(), uses)
        .ifPresent(problems::add);
    Refusal.of(Reasons.INVALID_SPEC, problems)
        .ifPresent(
            it -> {
              throw new AppRefusedException(it);
            });
    return found.stream().map(this::variable).toList();
  }

  /** Why the App cannot be deleted: others use it. A forced deletion does not ask. */
  public Optional<Refusal> refusedDeletion(App app) {
    var users = app.isDeletedByForce() ? List.<String>of() : users(app);
    return users.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                Reasons.IN_USE,
                "App %s is not deleted, as other Apps use it: %s. Take it out of their spec.uses, or delete them"
                    .formatted(app.getMetadata().getName(), String.join(", ", users))));
  }

  /**
   * By App that this one uses, the generation that it is deployed as; 0 unless its last change has
   * succeeded. To be read before the components are, as these may be newer.
   */
  public Map<String, Long> generations(App app) {
    Map<String, Long> generations = new TreeMap<>();
    for (var used : uses(app)) {
      generations.computeIfAbsent(
          used.app(),
          name ->
              read(app.getMetadata().getNamespace(), name)
                  .map(App::getStatus)
                  .flatMap(AppStatus::succeededGeneration)
                  .orElse(0L));
    }
    return generations;
  }

  /** The names of the Apps that use this one and are not being deleted themselves. */
  private List<String> users(App app) {
    var metadata = app.getMetadata();
    return Faults.list(
            "the Apps of namespace " + metadata.getNamespace(),
            client.resources(App.class).inNamespace(metadata.getNamespace()))
        .stream()
        .filter(other -> !other.isMarkedForDeletion())
        .filter(other -> !other.getMetadata().getName().equals(metadata.getName()))
        .filter(other -> uses(other).stream().anyMatch(it -> it.app().equals(metadata.getName())))
        .map(other -> other.getMetadata().getName())
        .sorted()
        .toList();
  }

  private static List<UsedComponent> uses(App app) {
    return Optional.ofNullable(app.getSpec()).map(AppSpec::uses).orElse(List.of());
  }

  private Optional<App> read(String namespace, String name) {
    return Faults.read(
        "App " + name, client.resources(App.class).inNamespace(namespace).withName(name));
  }

  private Optional<Component> component(App app, UsedComponent used) {
    var namespace = app.getMetadata().getNamespace();
    var name = Labels.componentName(used.app(), used.component());
    return Faults.read(
            "Component " + name,
            client.resources(Component.class).inNamespace(namespace).withName(name))
        .filter(component -> component.getSpec() != null)
        .filter(component -> used.app().equals(component.getSpec().app()))
        .filter(component -> used.component().equals(component.getSpec().component()))
        .filter(component -> !component.isMarkedForDeletion())
        .filter(component -> read(namespace, used.app()).filter(it -> stays(it, app)).isPresent());
  }

  /** A deletion waits for the Apps that use it already; it does not wait for new ones. */
  private static boolean stays(App used, App user) {
    return !used.isMarkedForDeletion()
        || (!used.isDeletedByForce() && hasUsed(used.getMetadata().getName(), user));
  }

  private static boolean hasUsed(String name, App user) {
    return Optional.ofNullable(user.getStatus())
        .map(AppStatus::usedGenerations)
        .filter(planned -> planned.containsKey(name))
        .isPresent();
  }

  private String missing(App app, UsedComponent used) {
    var namespace = app.getMetadata().getNamespace();
    var other = read(namespace, used.app());
    if (other.isEmpty()) {
      return "App %s does not exist in namespace %s: create it, or take it out of spec.uses"
          .formatted(used.app(), namespace);
    }
    if (other.get().isMarkedForDeletion()) {
      return "App %s is being deleted: take it out of spec.uses".formatted(used.app());
    }
    var names =
        Stream.ofNullable(other.get().getSpec())
            .flatMap(spec -> spec.components().stream())
            .map(it -> it.name())
            .toList();
    return names.contains(used.component())
        ? "component %s is not deployed yet: the App is planned again by itself".formatted(used)
        : "App %s has no component %s, only %s"
            .formatted(used.app(), used.component(), String.join(", ", names));
  }

  private Map<String, Object> variable(Component component) {
    var spec = component.getSpec();
    var catalog = new PluginCatalog(plugins.read(spec.plugin()).getSpec());
    var variable = new TreeMap<>(new Siblings(catalog).of(spec));
    variable.put("app", spec.app());
    variable.put("component", spec.component());
    return variable;
  }

  /**
   * Finds Apps that use each other in a circle, none of which could be deleted.
   *
   * @param next what the App of a name uses
   */
  record UseCycle(Function<String, List<UsedComponent>> next) {

    /** The problem in words; empty when nothing that the App uses leads back to it. */
    Optional<String> of(String app, List<UsedComponent> uses) {
      return path(app, List.of(app), uses, new HashSet<>())
          .map(
              path ->
                  "spec.uses: Apps use each other in a circle (%s): take one of them out of spec.uses"
                      .formatted(String.join(" → ", path)));
    }

    private Optional<List<String>> path(
        String target, List<String> soFar, List<UsedComponent> uses, Set<String> visited) {
      return uses.stream()
          .map(UsedComponent::app)
          .filter(visited::add) // what does not lead back on one path does on none
          .flatMap(name -> path(target, soFar, name, visited).stream())
          .findFirst();
    }

    private Optional<List<String>> path(
        String target, List<String> soFar, String name, Set<String> visited) {
      var path = Stream.concat(soFar.stream(), Stream.of(name)).toList();
      return name.equals(target)
          ? Optional.of(path)
          : path(target, path, next.apply(name), visited);
    }
  }
}
