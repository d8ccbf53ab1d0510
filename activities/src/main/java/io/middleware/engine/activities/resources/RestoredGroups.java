package io.middleware.engine.activities.resources;

import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.Measured.Answered;
import io.middleware.engine.cluster.status.EngineEvent;
import io.middleware.engine.cluster.status.EngineEvent.Kind;
import io.middleware.engine.cluster.status.EventRecorder;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Comparator;
import java.util.Optional;

/** Says what a group has that was filled from a backup, as the agent of its first pod counts it. */
final class RestoredGroups {
  private static final String QUESTION = "restored";

  private final ClusterView view;
  private final AgentQueries agents;
  private final EventRecorder events;

  RestoredGroups(ClusterView view, AgentQueries agents, EventRecorder events) {
    this.view = view;
    this.agents = agents;
    this.events = events;
  }

  /** An event on the App. An agent that does not answer holds nothing up. */
  void report(TaskRef task, GroupSpec group, PluginSpec plugin) {
    var note =
        "%s/%s is restored from Backup %s%s"
            .formatted(
                task.component(),
                group.group(),
                group.restoreFrom().backup(),
                first(task, group).flatMap(pod -> count(plugin, pod)).orElse(""));
    var key = "restored/%s/%s".formatted(task.component(), group.group());
    events.record(
        task.change(), new EngineEvent(key, Kind.NORMAL, Reasons.BACKUP_RESTORED, "Restore", note));
  }

  private Optional<PodState> first(TaskRef task, GroupSpec group) {
    var app = AppKey.of(task.change());
    return view.statefulSet(app, task.component(), group.group()).stream()
        .flatMap(set -> view.podsOf(app, set).stream())
        .filter(pod -> pod.isReady() && pod.ip().isPresent())
        .min(Comparator.comparing(PodState::name, NaturalOrder.OF_NAMES));
  }

  private Optional<String> count(PluginSpec plugin, PodState pod) {
    return plugin.hasAgents()
            && agents.measure(AgentQueries.endpoint(plugin), pod, QUESTION)
                instanceof Answered(var text)
        ? Optional.of(": pod %s has %s".formatted(pod.name(), text))
        : Optional.empty();
  }
}
