package io.middleware.engine.activities.pods;

import static io.middleware.engine.activities.agents.FakeAgent.endsWith;
import static io.middleware.engine.activities.kubernetes.Samples.readyAt;
import static io.middleware.engine.activities.kubernetes.Samples.set;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.agents.AgentActions;
import io.middleware.engine.activities.agents.AgentChannels;
import io.middleware.engine.activities.agents.AgentPolicy;
import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.agents.FakeAgent;
import io.middleware.engine.activities.apiserver.TestCluster;
import io.middleware.engine.activities.apiserver.TestEngine;
import io.middleware.engine.activities.apiserver.TestGroups;
import io.middleware.engine.activities.kubernetes.FakeView;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.HookPoint;
import io.middleware.engine.api.task.TaskHook;
import io.middleware.engine.workflows.port.ActionActivities.HookRequest;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.client.ActivityCanceledException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A task with a hook on the ready pods db-0 and db-1 of a group, whose agents listen. */
final class HookScene implements AutoCloseable {
  final FakeView view = new FakeView();
  final FakeAgent zero;
  final FakeAgent one;
  TaskRef task;

  private final TestCluster cluster;
  private final TestEngine engine;
  private final AgentChannels channels = new AgentChannels(name -> null);

  HookScene(TestCluster cluster, TestEngine engine) throws IOException {
    this.cluster = cluster;
    this.engine = engine;
    var change = engine.begin(cluster.createApp());
    task = new TaskRef(change, "1-versionupgrade-db", ChangeType.VERSION_UPGRADE, "db");
    zero = new FakeAgent("127.0.0.10", 0);
    one = new FakeAgent("127.0.0.11", zero.port());
    zero.action = endsWith(0, "");
    one.action = endsWith(0, "");
    view.sets.add(set(2, 1));
    view.pods.add(readyAt("db-0", "new", "127.0.0.10"));
    view.pods.add(readyAt("db-1", "new", "127.0.0.11"));
    plugin("1.0.0", zero.port(), "save");
  }

  /** Runs the hook once. */
  void run(HookPoint point, String action, String step) {
    var policy = new AgentPolicy(Duration.ofSeconds(5), 1, 65_536);
    var context = engine.steps(view, this::heartbeat);
    new GroupHook(
            context,
            engine.objects,
            engine.plugins,
            new AgentQueries(channels, policy),
            new AgentActions(channels, policy),
            engine.secrets)
        .run(new HookRequest(new GroupRef(task, "g"), new TaskHook(point, action)), step);
  }

  private void heartbeat(String message) {
    engine.heartbeats.add(message);
    if (engine.cancelled) {
      throw new ActivityCanceledException();
    }
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
    BegunAction.createGroup(cluster, TestGroups.running(2));
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

  @Override
  public void close() {
    channels.close();
    zero.close();
    one.close();
  }
}
