package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostedAccountsTest {
  private static final Pod POD =
      Serialization.unmarshal(
          """
          metadata: {name: db-0, namespace: shop, uid: uid-0}
          spec:
            containers:
            - name: agent
              env:
              - {name: REDIS_ACCOUNTS_FOLDER, value: /etc/redis-accounts}
              - {name: REDIS_ACCOUNTS_MEMORY, value: /accounts-memory}
              volumeMounts:
              - {name: accounts, mountPath: /etc/redis-accounts}
              - {name: accounts-memory, mountPath: /accounts-memory}
            volumes:
            - {name: accounts, secret: {secretName: passwords}}
            - {name: accounts-memory, emptyDir: {medium: Memory}}
          """,
          Pod.class);

  @TempDir Path folder;

  @Test
  void shouldHaveTheFilesAndTheMemoryOfItsAgent() throws IOException {
    try (var cluster = new FakeCluster();
        var others = new FakeOthers()) {
      // Given
      cluster.putSecret("passwords", Map.of("anonymous", "no"));
      var settings = new HostSettings(folder.resolve("redis"), folder, ImagePrograms.NONE, true);
      // When
      var accounts = HostedAgent.accounts(POD, others.context(cluster, settings));
      // Then
      assertThat(accounts.refuseAnonymous()).isTrue();
      assertThat(accounts.memory()).hasValueSatisfying(it -> assertThat(it).isDirectory());
    }
  }
}
