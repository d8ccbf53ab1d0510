package io.middleware.engine.activities.resources;

import io.middleware.engine.api.AgentsByPlugin;
import io.middleware.engine.api.AgentsByPlugin.Agents;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a Group says of how it was rendered. */
record GroupAnnotations(GroupRendering rendering) {

  /**
   * Records on a desired Group with what it is rendered, and how its pods are spoken to.
   *
   * @param existing pods of it may be of another Plugin
   */
  void record(TaskRef task, Group group, Optional<Group> existing) {
    var spec = group.getSpec();
    var agents =
        existing
            .map(this::agents)
            .orElseGet(() -> new AgentsByPlugin(Map.of()))
            .with(name(spec), Agents.of(rendering.plugin(task, spec)));
    var annotations = new TreeMap<>(group.getMetadata().getAnnotations());
    annotations.put(Labels.PLUGIN_REVISION, rendering.revision(task, spec));
    annotations.put(Labels.AGENTS, agents.text());
    rendering
        .store(group.getMetadata().getNamespace(), spec)
        .ifPresent(store -> annotations.put(Labels.BACKUP_STORE, store.text()));
    group.getMetadata().setAnnotations(annotations);
  }

  /** An earlier engine has recorded none. */
  private AgentsByPlugin agents(Group existing) {
    var recorded = AgentsByPlugin.of(existing);
    if (existing.getSpec() == null || recorded.find(name(existing.getSpec())).isPresent()) {
      return recorded;
    }
    return rendering
        .deployed(existing)
        .map(plugin -> recorded.with(name(existing.getSpec()), Agents.of(plugin)))
        .orElse(recorded);
  }

  private static String name(GroupSpec spec) {
    return Labels.pluginName(spec.plugin().name(), spec.plugin().version());
  }
}
