package io.middleware.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.process.pods.ObjectEvents;
import io.middleware.engine.process.pods.PodEvents;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A pod of which only an event says why it does not start. */
@ExtendWith(ApiServer.class)
class PodReportsIT {
  private static final String REFUSED =
      "create Pod db-0 in StatefulSet db failed error: pods \"db-0\" is forbidden: exceeded quota: full";

  private final LocalNamespace cluster;

  PodReportsIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @Test
  void shouldSayWhatTheKubeletSaidLast() {
    // Given
    var pod = pod("w1");
    event(
        "Pod",
        pod.getMetadata().getName(),
        pod.getMetadata().getUid(),
        "FailedMount",
        "secret \"creds\"\nnot found");
    // When Then
    await()
        .untilAsserted(
            () ->
                assertThat(trouble())
                    .isEqualTo("FailedMount: secret \"creds\" not found (node w1)"));
  }

  @Test
  void shouldSayWhyAVolumeClaimOfThePodIsNotBound() {
    // Given
    pod(null);
    event(
        "PersistentVolumeClaim",
        "data",
        "any",
        "ProvisioningFailed",
        "storageclass \"fast\" not found");
    // When Then
    await()
        .untilAsserted(
            () ->
                assertThat(trouble())
                    .isEqualTo(
                        "ProvisioningFailed: storageclass \"fast\" not found (volume claim data); no node yet"));
  }

  @Test
  void shouldForgetThatAPodWasRefusedOnceItExists() {
    // Given
    var set = set();
    event("StatefulSet", "db", set.getMetadata().getUid(), "FailedCreate", REFUSED);
    try (var events = new PodEvents(new ObjectEvents(cluster.client()), changed -> {})) {
      await()
          .untilAsserted(
              () ->
                  assertThat(events.refusedCreation(set, "db-0"))
                      .contains("cannot be created: exceeded quota: full"));
      // When
      events.of(
          new PodBuilder(pod("w1"))
              .editMetadata()
              .addNewOwnerReference()
              .withUid(set.getMetadata().getUid())
              .endOwnerReference()
              .endMetadata()
              .build());
      // Then
      assertThat(events.refusedCreation(set, "db-0")).isEmpty();
    }
  }

  private String trouble() {
    return cluster.view().pods(new AppKey(cluster.namespace(), "cache")).stream()
        .map(PodState::trouble)
        .findFirst()
        .orElse("");
  }

  private StatefulSet set() {
    return new StatefulSetBuilder(SampleObjects.set(1, 1))
        .editMetadata()
        .withNamespace(cluster.namespace())
        .endMetadata()
        .build();
  }

  private Pod pod(String node) {
    return cluster.create(
        new PodBuilder()
            .withNewMetadata()
            .withName("db-0")
            .withLabels(Map.of(Labels.APP, "cache"))
            .endMetadata()
            .withNewSpec()
            .withNodeName(node)
            .addNewContainer()
            .withName("c")
            .withImage("i")
            .endContainer()
            .addNewVolume()
            .withName("data")
            .withNewPersistentVolumeClaim("data", false)
            .endVolume()
            .endSpec()
            .build());
  }

  private void event(String kind, String name, String uid, String reason, String message) {
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    cluster.create(
        new EventBuilder()
            .withNewMetadata()
            .withGenerateName("db-")
            .endMetadata()
            .withType("Warning")
            .withReason(reason)
            .withMessage(message)
            .withFirstTimestamp(now)
            .withLastTimestamp(now)
            .withNewInvolvedObject()
            .withApiVersion("v1")
            .withKind(kind)
            .withNamespace(cluster.namespace())
            .withName(name)
            .withUid(uid)
            .endInvolvedObject()
            .build());
  }
}
