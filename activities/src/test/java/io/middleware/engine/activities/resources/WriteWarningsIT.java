package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The namespace warns of pods that are not restricted. */
@ExtendWith(ApiServer.class)
class WriteWarningsIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;

  WriteWarningsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @Test
  void shouldTellOnTheAppWhatTheApiServerWarnsOf() {
    // Given
    cluster
        .client()
        .resources(Namespace.class)
        .withName(cluster.namespace())
        .edit(
            it -> {
              it.getMetadata().getLabels().put("pod-security.kubernetes.io/warn", "restricted");
              return it;
            });
    cluster.createPlugin();
    var app = cluster.createApp();
    var group = new LocalWriters(engine).open(app, ChangeType.PROVISION);
    // When
    engine.resources().applyGroup(group);
    engine.resources().applyGroup(group);
    // Then
    assertThat(warnings())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getRegarding().getName()).isEqualTo("cache");
              assertThat(event.getNote())
                  .startsWith("StatefulSet cache-db-g: would violate PodSecurity");
            });
  }

  private List<Event> warnings() {
    return cluster.events().stream()
        .filter(event -> "ApiServerWarning".equals(event.getReason()))
        .toList();
  }
}
