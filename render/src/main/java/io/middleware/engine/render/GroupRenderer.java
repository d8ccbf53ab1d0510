package io.middleware.engine.render;

import static java.util.stream.Collectors.toUnmodifiableSet;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.PluginAction;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.plugin.TemplateSource;
import io.middleware.engine.render.expression.RenderBudget;
import io.middleware.engine.render.guard.ActionJobFields;
import io.middleware.engine.render.guard.GuardFacts;
import io.middleware.engine.render.guard.GuardVerdict;
import io.middleware.engine.render.guard.GuardViolation;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.OutputGuard;
import io.middleware.engine.render.guard.PluginGrants;
import io.middleware.engine.render.guard.PodPlacement;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Renders the objects of a group from its plugin's templates and checks them with the guard. */
public final class GroupRenderer {
  private static final ObjectKind JOB = new ObjectKind("batch/v1", "Job");

  private final OutputGuard guard = new OutputGuard();
  private final TemplateCompiler compiler;
  private final TemplateTexts texts;
  private final ContextSources sources;
  private final Cache<TemplateOrigin, CompiledTemplate> compiled;

  /**
   * @param namespace the engine's
   * @param keep how long a compiled template is kept after its last use
   */
  public GroupRenderer(
      TemplateTexts texts, BackupSources backups, String namespace, Duration keep) {
    this(
        new TemplateCompiler(),
        texts,
        new ContextSources(backups, new AccessPeers(namespace)),
        CacheBuilder.newBuilder().expireAfterAccess(keep).build());
  }

  private GroupRenderer(
      TemplateCompiler compiler,
      TemplateTexts texts,
      ContextSources sources,
      Cache<TemplateOrigin, CompiledTemplate> compiled) {
    this.compiler = compiler;
    this.texts = texts;
    this.sources = sources;
    this.compiled = compiled;
  }

  /** The same for one plan: it looks up each store and each backup once. */
  public GroupRenderer forOnePlan() {
    return new GroupRenderer(compiler, texts, sources.forOnePlan(), compiled);
  }

  /** Where it looks up stores and backups. */
  public BackupSources backups() {
    return sources.backups();
  }

  /**
   * @param serviceAccount the App's; empty if it has none
   * @throws NoSuchElementException when the plugin lacks the component type or the runtime, or
   *     there is no BackupStore of this name
   * @throws TemplateException when a template has errors, or cannot be rendered with these values
   * @throws OutputRefusedException when the guard refuses what was rendered
   */
  public RenderedObjects render(
      PluginSpec plugin, String namespace, GroupSpec group, String serviceAccount) {
    var rendering = rendering(plugin, namespace, group, serviceAccount);
    var objects = reloadable(passed(rendering.objects(), rendering.facts()), rendering.config());
    return rendering.services().marked(objects);
  }

  /**
   * The Job of an action. The guard sees it together with the group's own objects, whose service
   * accounts it may use.
   *
   * @throws RuntimeException as {@link #render}
   */
  public RenderedObject renderJob(
      PluginSpec plugin, String namespace, GroupSpec group, String serviceAccount, ActionJob job) {
    var rendering = rendering(plugin, namespace, group, serviceAccount);
    var template = job(group.type(), job.action());
    var rendered =
        template.render(rendering.context().with(job.parameters()), rendering.budget()).stream()
            .filter(GroupRenderer::isJob)
            .findFirst()
            .orElseThrow(() -> noJob(template.name()));
    ActionJobFields.name(rendered, job.name());
    var all = new ArrayList<>(rendering.objects());
    all.add(rendering.facts().placement().intoJob(rendered));
    return passed(all, rendering.facts()).inOrder().stream()
        .filter(object -> object.kind().equals(JOB) && object.name().equals(job.name()))
        .findFirst()
        .map(new ActionJobFields(job.timeout(), job.killTimeout())::in)
        .orElseThrow();
  }

  /**
   * Compiles what an action consists of, without values.
   *
   * @param type of component that has the action
   * @throws TemplateException when it has errors
   */
  public void check(String type, PluginAction action) {
    conditions(type, action);
    if (action.isJob()) {
      job(type, action);
    }
  }

  /**
   * The messages of an action's preconditions that do not hold in a group.
   *
   * @param parameters of the action, as text
   * @throws NoSuchElementException as {@link #render}
   * @throws TemplateException when one has errors, or cannot be evaluated with these values
   */
  public List<String> unmet(
      PluginSpec plugin,
      String namespace,
      GroupSpec group,
      PluginAction action,
      Map<String, String> parameters) {
    var context =
        sources.context(plugin, namespace, group, GroupConfig.of(plugin, group)).with(parameters);
    var budget = new RenderBudget();
    var conditions = conditions(group.type(), action);
    return IntStream.range(0, conditions.size())
        .filter(i -> !conditions.get(i).holds(context, budget))
        .mapToObj(i -> action.preconditions().get(i).message())
        .toList();
  }

  private List<CompiledCondition> conditions(String type, PluginAction action) {
    var given = GroupContext.orEmpty(action.preconditions());
    List<CompiledCondition> conditions = new ArrayList<>();
    for (var i = 0; i < given.size(); i++) {
      var name = "%s.actions[%s].preconditions[%d]".formatted(type, action.name(), i);
      conditions.add(compiler.compileCondition(name, "cel", given.get(i).cel()));
    }
    return conditions;
  }

  private CompiledTemplate job(String type, PluginAction action) {
    var name = "%s.actions[%s].job".formatted(type, action.name());
    return compile(new TemplateOrigin(name, GroupContext.orEmpty(action.job()), "", ""));
  }

  private static boolean isJob(Map<String, Object> tree) {
    return JOB.apiVersion().equals(tree.get("apiVersion")) && JOB.kind().equals(tree.get("kind"));
  }

  private static OutputRefusedException noJob(String template) {
    return new OutputRefusedException(
        List.of(new GuardViolation(template, "$", "must render a Job of batch/v1")));
  }

  private Rendering rendering(
      PluginSpec plugin, String namespace, GroupSpec group, String serviceAccount) {
    var config = GroupConfig.of(plugin, group);
    var context = sources.context(plugin, namespace, group, config);
    List<Map<String, Object>> trees = new ArrayList<>();
    var budget = new RenderBudget();
    var type = type(plugin, group.type());
    for (var template : templates(type)) {
      trees.addAll(template.render(context, budget));
    }
    var services = new EndpointServices(type, context, config.accounts());
    trees.addAll(services.trees());
    var facts =
        new GuardFacts(
            namespace,
            context.owner(),
            serviceAccount,
            grants(plugin),
            config.hashes(),
            group.restartedBy(),
            new PodPlacement(group.pods(), context.owner().constant()));
    return new Rendering(config, context, budget, trees, facts, services);
  }

  private RenderedObjects passed(List<Map<String, Object>> trees, GuardFacts facts) {
    return switch (guard.inspect(trees, facts)) {
      case GuardVerdict.PassedOutput(var objects) -> objects;
      case GuardVerdict.RefusedOutput(var violations) ->
          throw new OutputRefusedException(violations);
    };
  }

  /** Only agents in pods of a StatefulSet are called, so only those pods can reload values. */
  private static RenderedObjects reloadable(RenderedObjects objects, GroupConfig config) {
    var hasSet =
        objects.inOrder().stream().anyMatch(object -> object.kind().kind().equals("StatefulSet"));
    if (!config.hot().isEmpty() && !hasSet) {
      throw new OutputRefusedException(
          List.of(
              new GuardViolation(
                  "group",
                  "$",
                  "renders no StatefulSet, and only its pods can reload parameters: %s must not be Hot"
                      .formatted(String.join(", ", new TreeSet<>(config.hot()))))));
    }
    return objects;
  }

  /**
   * @throws NoSuchElementException when the plugin does not have this type
   */
  static ComponentType type(PluginSpec plugin, String name) {
    return GroupContext.orEmpty(plugin.componentTypes()).stream()
        .filter(type -> name.equals(type.name()))
        .findFirst()
        .orElseThrow(
            () ->
                new NoSuchElementException(
                    "plugin %s %s has no component type %s"
                        .formatted(plugin.name(), plugin.version(), name)));
  }

  private List<CompiledTemplate> templates(ComponentType type) {
    var given = GroupContext.orEmpty(type.templates());
    List<CompiledTemplate> templates = new ArrayList<>();
    for (var i = 0; i < given.size(); i++) {
      templates.add(compile(origin("%s.templates[%d]".formatted(type.name(), i), given.get(i))));
    }
    return templates;
  }

  private TemplateOrigin origin(String name, TemplateSource from) {
    var forEach = Objects.requireNonNullElse(from.forEach(), "");
    return from.fromConfigMap() == null
        ? new TemplateOrigin(name, GroupContext.orEmpty(from.template()), "", forEach)
        : new TemplateOrigin(
            "%s/%s"
                .formatted(
                    from.fromConfigMap().name().split(TemplateTexts.OF_REVISION)[0],
                    from.fromConfigMap().key()),
            Map.of(),
            texts.read(from.fromConfigMap()),
            forEach);
  }

  private CompiledTemplate compile(TemplateOrigin origin) {
    var known = compiled.getIfPresent(origin);
    if (known != null) {
      return known;
    }
    var fresh = origin.compiled(compiler);
    compiled.put(origin, fresh);
    return fresh;
  }

  private static PluginGrants grants(PluginSpec plugin) {
    return new PluginGrants(extraKinds(plugin), plugin.podSecurity());
  }

  private static Set<ObjectKind> extraKinds(PluginSpec plugin) {
    return GroupContext.orEmpty(plugin.allowedKinds()).stream()
        .map(kind -> new ObjectKind(kind.apiVersion(), kind.kind()))
        .collect(toUnmodifiableSet());
  }

  /**
   * What a group's own templates gave.
   *
   * @param budget of which they have used a part
   * @param objects as they are before the guard
   */
  private record Rendering(
      GroupConfig config,
      RenderContext context,
      RenderBudget budget,
      List<Map<String, Object>> objects,
      GuardFacts facts,
      EndpointServices services) {}
}
