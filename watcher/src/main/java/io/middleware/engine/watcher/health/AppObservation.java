package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import java.util.List;
import java.util.Map;

/**
 * An App, the Components and Groups made for it, and its pods, as last seen.
 *
 * @param roles of the ready pods, by uid, as far as they are known
 */
public record AppObservation(
    App app,
    List<Component> components,
    List<Group> groups,
    List<Pod> pods,
    Map<String, String> roles) {
  public AppObservation {
    components = List.copyOf(components);
    groups = List.copyOf(groups);
    pods = List.copyOf(pods);
    roles = Map.copyOf(roles);
  }

  /** A change runs, the App is being deleted, or nothing has ever been carried out. */
  public boolean isChanging() {
    return isChanging(app);
  }

  /** The same where only the App is seen so far. */
  public static boolean isChanging(App app) {
    return new AppHealth(app, new GroupStates(List.of())).isChanging();
  }
}
