package io.middleware.engine.activities.render;

import static java.util.stream.Collectors.toUnmodifiableSet;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.middleware.engine.activities.kubernetes.Plugins;
import io.middleware.engine.activities.render.guard.GuardFacts;
import io.middleware.engine.activities.render.guard.GuardVerdict;
import io.middleware.engine.activities.render.guard.GuardViolation;
import io.middleware.engine.activities.render.guard.ObjectKind;
import io.middleware.engine.activities.render.guard.OutputGuard;
import io.middleware.engine.activities.render.guard.PluginGrants;
import io.middleware.engine.activities.render.guard.RenderedObjects;
import io.middleware.engine.api.ComponentType;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.PluginSpec;
import io.middleware.engine.api.TemplateSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;

/** Renders the objects of a group from its plugin's templates and checks them with the guard. */
public final class GroupRenderer {
  private final OutputGuard guard = new OutputGuard();
  private final TemplateCompiler compiler;
  private final TemplateTexts texts;
  private final BackupSources backups;
  private final Cache<Origin, CompiledTemplate> compiled;

  /**
   * @param keep how long a compiled template is kept after its last use
   */
  public GroupRenderer(TemplateTexts texts, BackupSources backups, Duration keep) {
    this(
        new TemplateCompiler(),
        texts,
        backups,
        CacheBuilder.newBuilder().expireAfterAccess(keep).build());
  }

  private GroupRenderer(
      TemplateCompiler compiler,
      TemplateTexts texts,
      BackupSources backups,
      Cache<Origin, CompiledTemplate> compiled) {
    this.compiler = compiler;
    this.texts = texts;
    this.backups = backups;
    this.compiled = compiled;
  }

  /** The same for one plan: it looks up each store and each backup once. */
  public GroupRenderer forOnePlan() {
    return new GroupRenderer(compiler, texts, new RememberedSources(backups), compiled);
  }

  /** Where it looks up stores and backups. */
  public BackupSources backups() {
    return backups;
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
    var config = GroupConfig.of(plugin, group);
    var context =
        GroupContext.of(plugin, config, group, new BackupContext(backups, namespace, group));
    List<Map<String, Object>> trees = new ArrayList<>();
    var budget = new RenderBudget();
    for (var template : templates(type(plugin, group.type()))) {
      trees.addAll(template.render(context, budget));
    }
    var facts =
        new GuardFacts(
            namespace,
            context.owner(),
            serviceAccount,
            grants(plugin),
            config.hashes(),
            group.restartedBy());
    return switch (guard.inspect(trees, facts)) {
      case GuardVerdict.PassedOutput(var objects) -> reloadable(objects, config);
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
    var sources = GroupContext.orEmpty(type.templates());
    List<CompiledTemplate> templates = new ArrayList<>();
    for (var i = 0; i < sources.size(); i++) {
      templates.add(compile(origin("%s.templates[%d]".formatted(type.name(), i), sources.get(i))));
    }
    return templates;
  }

  private Origin origin(String name, TemplateSource from) {
    return from.fromConfigMap() == null
        ? new Origin(name, GroupContext.orEmpty(from.template()), "")
        : new Origin(
            "%s/%s"
                .formatted(
                    from.fromConfigMap().name().split(Plugins.OF_REVISION)[0],
                    from.fromConfigMap().key()),
            Map.of(),
            texts.read(from.fromConfigMap()));
  }

  private CompiledTemplate compile(Origin origin) {
    var known = compiled.getIfPresent(origin);
    if (known != null) {
      return known;
    }
    var fresh =
        origin.text().isEmpty()
            ? compiler.compile(origin.name(), origin.tree())
            : compiler.compileText(origin.name(), origin.text());
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

  /** The source of a template: either a tree or a text. */
  private record Origin(String name, Map<String, Object> tree, String text) {}
}
