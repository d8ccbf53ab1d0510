package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.GroupWrite.Applied;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the step that writes a group says of it: later steps look up what it may have. */
@ExtendWith(ApiServer.class)
class AppliedGroupIT {
  private static final String DEPLOYMENT =
      """
          - template:
              apiVersion: apps/v1
              kind: Deployment
              metadata: {name: "${name}-front"}
              spec:
                selector: {matchLabels: {front: "${name}"}}
                template:
                  metadata: {labels: {front: "${name}"}}
                  spec: {containers: [{name: front, image: "${images.redis}"}]}
      """;

  private final LocalNamespace cluster;
  private final LocalEngine engine;

  AppliedGroupIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @Test
  void shouldSayThatAGroupHasNoDeployment() {
    cluster.createPlugin();
    assertThat(applied().withoutDeployments()).isTrue();
  }

  @Test
  void shouldNotSaySoWhereOneIsRendered() {
    cluster.createPlugin(yaml -> yaml.replace("    templates:\n", "    templates:\n" + DEPLOYMENT));
    assertThat(applied().withoutDeployments()).isFalse();
  }

  private AppliedStatefulSet applied() {
    var group = new LocalWriters(engine).open(cluster.createApp(), ChangeType.PROVISION);
    return ((Applied) engine.resources().applyGroup(group)).statefulSet().orElseThrow();
  }
}
