package io.middleware.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class LeanObjectsTest {
  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  @Test
  void shouldKeepWhatIdentifiesAPodWhereItRunsAndItsClaims() {
    // Given
    var pod =
        YAML.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: cache-db-g-0
              uid: uid-0
              labels: {middleware.io/app: cache}
              annotations: {note: long}
              managedFields: [{manager: kubelet}]
            spec:
              nodeName: node-1
              containers: [{name: redis, image: redis:7}]
              volumes:
              - {name: data, persistentVolumeClaim: {claimName: data-cache-db-g-0}}
              - {name: tmp, emptyDir: {}}
            status: {podIP: 10.0.0.1, phase: Running}
            """,
            Pod.class);
    // When
    LeanObjects.reduce(pod);
    // Then
    assertThat(YAML.asYaml(pod))
        .contains("cache-db-g-0", "uid-0", "middleware.io/app", "node-1", "data-cache-db-g-0")
        .contains("10.0.0.1", "Running")
        .doesNotContain("note", "kubelet", "redis:7", "tmp");
  }

  @Test
  void shouldKeepAllOfAStatefulSetButTheTemplateOfItsPods() {
    // Given
    var set =
        YAML.unmarshal(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: cache-db-g, generation: 3}
            spec:
              replicas: 2
              template: {spec: {containers: [{name: redis, image: redis:7}]}}
            status: {updateRevision: new}
            """,
            StatefulSet.class);
    // When
    LeanObjects.reduce(set);
    // Then
    assertThat(set.getSpec().getReplicas()).isEqualTo(2);
    assertThat(YAML.asYaml(set)).contains("updateRevision").doesNotContain("redis:7");
  }
}
