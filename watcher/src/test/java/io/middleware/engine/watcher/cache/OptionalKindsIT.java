package io.middleware.engine.watcher.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.OnApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A watcher with the roles of an older version. */
@ExtendWith(OnApiServer.class)
class OptionalKindsIT {
  private static final GroupVersionKind POLICY =
      new GroupVersionKind("networking.k8s.io", "v1", "NetworkPolicy");
  private static final GroupVersionKind SERVICE = new GroupVersionKind("", "v1", "Service");

  private final LocalCluster cluster;

  OptionalKindsIT(LocalCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void shouldLeaveOutWhatTheWatcherMayNotList() {
    // Given
    cluster.create(
        Role.class,
        """
        metadata: {name: older}
        rules:
        - {apiGroups: [""], resources: [services], verbs: [list, watch]}
        """);
    cluster.create(
        RoleBinding.class,
        """
        metadata: {name: older}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: older}
        subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: older-watcher}]
        """);
    var kinds = new OptionalKinds(as("older-watcher"));
    // Then
    cluster
        .await()
        .until(() -> new OptionalKinds(as("older-watcher")).include(SERVICE, namespace()));
    assertThat(kinds.include(SERVICE, namespace())).isTrue();
    assertThat(kinds.include(POLICY, namespace())).isFalse();
    assertThat(kinds.include(SERVICE, "")).as("in all namespaces").isFalse();
    assertThat(kinds.include(item("v1", "Service"), namespace())).isTrue();
    assertThat(kinds.include(item("networking.k8s.io/v1", "NetworkPolicy"), namespace())).isFalse();
  }

  private static InventoryItem item(String version, String kind) {
    return new InventoryItem(version, kind, "cache");
  }

  private String namespace() {
    return cluster.namespace();
  }

  private KubernetesClient as(String user) {
    var config =
        new RequestConfigBuilder(cluster.client().getConfiguration().getRequestConfig())
            .withImpersonateUsername(user)
            .build();
    return cluster.client().newClient(config).adapt(KubernetesClient.class);
  }
}
