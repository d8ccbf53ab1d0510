package io.middleware.engine.activities.actions;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.pods.AgentScene;
import io.middleware.engine.activities.resources.FinalHooks;
import io.middleware.engine.activities.resources.LocalWriters;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.Hooks;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.HookPoint;
import io.middleware.engine.api.task.TaskHook;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.render.SampleGroups;
import io.middleware.engine.workflows.port.ActionActivities.HookRequest;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.io.IOException;
import java.util.List;

/** A task with a hook on the ready pods db-0 and db-1 of a group, whose agents listen. */
final class HookScene extends AgentScene {
  TaskRef task;

  HookScene(LocalNamespace cluster, LocalEngine engine) throws IOException {
    super(cluster, engine);
    var change = engine.begin(cluster.createApp());
    task = new TaskRef(change, "1-versionupgrade-db", ChangeType.VERSION_UPGRADE, "db");
    plugin("1.0.0", zero.port(), "save");
  }

  /** Runs the hook once. */
  void run(HookPoint point, String action, String step) {
    new GroupHook(
            context(),
            engine.objects,
            engine.plugins,
            new ActionAgents(
                new AgentQueries(channels, policy), new AgentActions(channels, policy)),
            engine.secrets,
            new FinalHooks(engine.apps(engine.cluster.view()), engine.objects))
        .run(new HookRequest(new GroupRef(task, "g"), new TaskHook(point, action)), step);
  }

  /**
   * Deploys a Plugin whose agents run this action on each pod, and {@code check} on one.
   *
   * @return the name of its content
   */
  String plugin(String version, int port, String action) {
    var plugin =
        cluster.createPlugin(
            yaml ->
                yaml.replace("1.0.0", version)
                    .replace(
                        "  componentTypes:\n  - name: redis\n",
                        """
                          agent: {port: %d}
                          componentTypes:
                          - name: redis
                            actions:
                            - name: %s
                              parameters: [{name: keep, type: integer, default: 3}, {name: tag}]
                            - {name: check, pods: One}
                            - {name: flush, pods: Primary}
                            - {name: report, pods: AnyReplica}
                        """
                            .formatted(port, action)));
    return engine.plugins.revision(plugin);
  }

  /** Writes the group, as Plugin 1.0.0 makes it. */
  void group() {
    BegunAction.createGroup(cluster, SampleGroups.running(2));
  }

  /** Begins an upgrade of the component, whose type has these hooks. */
  void upgrade(Hooks hooks) {
    cluster
        .named(Plugin.class, "redis-v1.0.0")
        .edit(
            plugin -> {
              plugin.getSpec().componentTypes().replaceAll(type -> hooked(type, hooks));
              return plugin;
            });
    var app = cluster.named(App.class, "cache").get();
    var writers = new LocalWriters(engine);
    writers.end(writers.openWithGroup(app, ChangeType.PROVISION));
    app = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"7.2\""));
    task = writers.openWithGroup(app, ChangeType.VERSION_UPGRADE).task();
  }

  private static ComponentType hooked(ComponentType type, Hooks hooks) {
    return new ComponentType(
        type.name(),
        type.parameters(),
        type.values(),
        type.templates(),
        type.supports(),
        type.actions(),
        hooks,
        type.checks(),
        null,
        null,
        null,
        type.endpoints(),
        type.connection(),
        type.accounts(),
        type.volumes());
  }

  Component component() {
    return cluster.named(Component.class, "cache-db").get();
  }

  /** Stops the group. */
  void stop() {
    cluster
        .named(Group.class, "cache-db-g")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"state\": \"Stopped\"}}");
  }

  /** The actions that the agent was asked for. */
  static List<String> actions(FakeAgent agent) {
    return agent.calls.stream().filter(call -> call.startsWith("run ")).toList();
  }
}
