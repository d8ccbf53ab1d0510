package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodReferencesTest {
  private static final String POD =
      """
      spec:
        serviceAccountName: account
        subdomain: peers
        imagePullSecrets: [{name: pull}]
        initContainers:
        - {name: init, envFrom: [{configMapRef: {name: environment}}, {secretRef: {name: more}}]}
        containers:
        - name: db
          env:
          - {name: A, valueFrom: {configMapKeyRef: {name: one, key: a}}}
          - {name: B, valueFrom: {secretKeyRef: {name: two, key: b}}}
          - {name: name, value: not-an-object}
        volumes:
        - {name: a, configMap: {name: mounted}}
        - {name: b, secret: {secretName: mounted}}
        - {name: c, projected: {sources: [{secret: {name: part}}, {configMap: {name: part}}]}}
        - {name: d, persistentVolumeClaim: {claimName: data}}
        - {name: e, csi: {driver: store, nodePublishSecretRef: {name: login}, volumeAttributes: {secretProviderClass: vault}}}
      status: {phase: Running}
      """;

  @Test
  void shouldFindAllThatContainersNeedToStart() {
    // When
    var references = PodReferences.of(List.of(pod(POD)));
    // Then
    assertThat(references.names())
        .containsExactlyInAnyOrder(
            "ServiceAccount/account",
            "Service/peers",
            "Secret/pull",
            "ConfigMap/environment",
            "Secret/more",
            "ConfigMap/one",
            "Secret/two",
            "ConfigMap/mounted",
            "Secret/mounted",
            "Secret/part",
            "ConfigMap/part",
            "PersistentVolumeClaim/data",
            "Secret/login",
            "SecretProviderClass/vault");
  }

  @Test
  void shouldLeaveOutPodsThatWillNotStartAgain() {
    // Given
    var ended = pod(POD.replace("Running", "Failed"));
    var deleted = pod(POD);
    deleted.getMetadata().setDeletionTimestamp("2026-11-27T00:00:00Z");
    // When Then
    assertThat(PodReferences.of(List.of(ended, deleted)).names()).isEmpty();
  }

  private static Pod pod(String yaml) {
    var pod = Serialization.unmarshal(yaml, Pod.class);
    pod.setMetadata(new ObjectMeta());
    return pod;
  }
}
