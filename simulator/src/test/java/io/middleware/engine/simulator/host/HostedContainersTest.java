package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostedContainersTest {
  private static final Pod POD =
      Serialization.unmarshal(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: bus-0, namespace: shop, uid: uid-0}
          spec:
            containers:
            - {name: nats, image: "nats:2.12.8", command: [nats-server]}
            - name: agent
              image: middleware-engine/agent:2.0.0
              env: [{name: AGENT_MODE, value: commands}]
            - {name: exporter, image: other}
          status: {podIP: 127.88.2.2}
          """,
          Pod.class);

  @TempDir Path folder;

  @Test
  void shouldHaveTheAgentAlsoInItsOwnImage() throws IOException {
    // Given
    try (var others = new FakeOthers();
        var cluster = new FakeCluster()) {
      var settings = new HostSettings(folder.resolve("redis"), folder, ImagePrograms.NONE, true);
      // When
      var containers = HostedContainers.withCommands(POD, others.context(cluster, settings));
      // Then
      assertThat(containers.all())
          .extracting(one -> one.container().getName())
          .containsExactly("nats", "agent");
      assertThat(containers.ofAgent()).isPresent();
    }
  }
}
