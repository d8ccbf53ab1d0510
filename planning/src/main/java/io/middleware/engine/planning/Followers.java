package io.middleware.engine.planning;

import static java.util.stream.Collectors.toSet;

import io.middleware.engine.planning.app.DeployedComponent;
import io.middleware.engine.planning.app.DesiredApp;
import io.middleware.engine.planning.app.SpecEquality;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The deployed components that get other values because other components change. */
record Followers(DesiredApp desiredApp, List<DeployedComponent> deployed) {

  Set<String> names() {
    return deployed.stream()
        .filter(current -> desiredApp.components().containsKey(current.component()))
        .filter(this::follows)
        .map(DeployedComponent::component)
        .collect(toSet());
  }

  private boolean follows(DeployedComponent current) {
    var desired = desiredApp.components().get(current.component());
    var derived = Objects.requireNonNullElse(desired.derived(), Map.<String, Object>of()).keySet();
    return ComponentDiff.common(current.spec(), desired).stream()
        .anyMatch(
            group -> {
              var was = current.config(group, desiredApp.plugin());
              var config = desiredApp.config(desired, group);
              return derived.stream()
                  .anyMatch(name -> !SpecEquality.same(was.get(name), config.get(name)));
            });
  }
}
