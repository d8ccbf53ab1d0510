package io.middleware.engine.watcher.health;

import static java.util.stream.Collectors.toMap;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One App with one Component and one Group; what is written to them is seen at once. */
final class FakeStatuses implements StatusWriter {
  final List<String> writes = new ArrayList<>();
  App app;
  Component component;
  Group group;

  /** All pods have told their roles. */
  AppObservation with(Pod... pods) {
    var roles =
        Stream.of(pods)
            .map(pod -> pod.getMetadata().getUid())
            .collect(toMap(u -> u, u -> "replica"));
    return with(roles, pods);
  }

  AppObservation with(Map<String, String> roles, Pod... pods) {
    return new AppObservation(app, List.of(component), List.of(group), List.of(pods), roles);
  }

  /** The worker's part given, with health's part as it is. */
  AppStatus keeping(AppStatus worker) {
    var now = app.getStatus();
    return AppStatusBuilder.builder()
        .observedGeneration(worker.observedGeneration())
        .acceptedGeneration(worker.acceptedGeneration())
        .phase(now.phase())
        .ready(now.ready())
        .runtime(now.runtime())
        .change(worker.change())
        .components(now.components())
        .conditions(now.conditions())
        .build();
  }

  @Override
  public void write(HasMetadata bare) {
    var name = bare.getMetadata().getName();
    switch (bare) {
      case App written -> {
        app.setStatus(merged(written.getStatus()));
        writes.add(name + " " + written.getStatus().ready());
      }
      case Component written -> {
        component.setStatus(written.getStatus());
        writes.add(name + " " + written.getStatus().ready());
      }
      case Group written -> {
        group.setStatus(written.getStatus());
        var nodes = written.getStatus().nodes().stream().map(Node::pod).toList();
        writes.add(name + " " + written.getStatus().ready() + " " + nodes);
      }
      default -> throw new IllegalArgumentException(bare.getKind());
    }
  }

  private AppStatus merged(AppStatus health) {
    var now = app.getStatus();
    return AppStatusBuilder.builder()
        .observedGeneration(now.observedGeneration())
        .acceptedGeneration(now.acceptedGeneration())
        .phase(health.phase())
        .ready(health.ready())
        .runtime(health.runtime())
        .change(now.change())
        .components(health.components())
        .conditions(health.conditions())
        .build();
  }
}
