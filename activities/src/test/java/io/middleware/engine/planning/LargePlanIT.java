package io.middleware.engine.planning;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.PlanAnswer.Planned;
import io.middleware.engine.workflows.port.PlanRequest;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plans an App of 16 components with 32 groups each. */
@ExtendWith(ApiServer.class)
class LargePlanIT {
  private static final String GROUP =
      "{name: g%d, replicas: 1, storage: {size: 1Gi}, resources: {requests: {cpu: 100m}}}";

  private final LocalNamespace cluster;
  private final LocalEngine engine;

  LargePlanIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @Test
  void shouldShowItsProgress() {
    // Given
    cluster.createPlugin();
    var app = cluster.createApp(yaml -> yaml.replaceAll("(?s)- name: db.*", components()));
    // When
    var answer =
        LocalPlanning.of(engine)
            .plan(new PlanRequest(cluster.change(app, "run-1"), Optional.empty()));
    // Then
    assertThat(answer)
        .isInstanceOfSatisfying(
            Planned.class, planned -> assertThat(planned.plan().tasks()).hasSize(16));
    assertThat(engine.heartbeats)
        .hasSize(1024)
        .contains("dry run of 512 of 1024 objects")
        .endsWith("dry run of 1024 of 1024 objects");
  }

  private static String components() {
    var groups = IntStream.range(0, 32).mapToObj(GROUP::formatted).collect(joining(", "));
    return IntStream.range(0, 16)
        .mapToObj(it -> "- {name: db%d, type: redis, groups: [%s]}".formatted(it, groups))
        .collect(joining("\n  ", "", "\n"));
  }
}
