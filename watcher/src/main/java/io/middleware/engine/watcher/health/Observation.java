package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import java.util.List;

/** An App, the Components and Groups made for it, and its pods, as last seen. */
public record Observation(App app, List<Component> components, List<Group> groups, List<Pod> pods) {
  public Observation {
    components = List.copyOf(components);
    groups = List.copyOf(groups);
    pods = List.copyOf(pods);
  }
}
