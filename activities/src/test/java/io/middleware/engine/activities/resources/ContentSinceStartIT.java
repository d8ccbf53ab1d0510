package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.objects.ObservedStatefulSet;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is said of the Secret {@code users}, which pods read into their environment. */
@ExtendWith(ApiServer.class)
class ContentSinceStartIT {
  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");
  private static final Instant IN_THE_FUTURE = Instant.parse("2099-01-01T00:00:00Z");

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private App app;

  ContentSinceStartIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void deploy() {
    app = cluster.createApp();
  }

  @Test
  void shouldNameTheContentAndThePodsThatHaveStartedBefore() {
    secret(Map.of());

    report(pod("cache-db-g-0", LONG_AGO), pod("cache-db-g-1", IN_THE_FUTURE));
    report(pod("cache-db-g-0", LONG_AGO), pod("cache-db-g-1", IN_THE_FUTURE));

    assertThat(notes())
        .singleElement()
        .asString()
        .startsWith("Secret users was changed at ")
        .endsWith("restart them by an Operation of type Restart: cache-db-g-0");
  }

  @Test
  void shouldNameFilesThatAreMountedByThemselves() {
    secret(Map.of());
    var pod =
        new PodBuilder(pod("cache-db-g-0", LONG_AGO))
            .editSpec()
            .editFirstContainer()
            .withEnvFrom(List.of())
            .addNewVolumeMount()
            .withName("users")
            .withMountPath("/users.acl")
            .withSubPath("users.acl")
            .endVolumeMount()
            .endContainer()
            .addNewVolume()
            .withName("users")
            .withNewSecret()
            .withSecretName("users")
            .endSecret()
            .endVolume()
            .endSpec()
            .build();

    report(pod);

    assertThat(notes()).hasSize(1);
  }

  @Test
  void shouldSayNothingWhenAllPodsHaveIt() {
    secret(Map.of());

    report(pod("cache-db-g-0", IN_THE_FUTURE));

    assertThat(notes()).isEmpty();
  }

  @Test
  void shouldSayNothingOfWhatIsMissingOrTheAppsOwn() {
    report(pod("cache-db-g-0", LONG_AGO));
    secret(Map.of(Labels.APP, "cache"));
    report(pod("cache-db-g-0", LONG_AGO));

    assertThat(notes()).isEmpty();
  }

  private void secret(Map<String, String> labels) {
    Secret secret =
        new SecretBuilder()
            .withNewMetadata()
            .withName("users")
            .withLabels(labels)
            .endMetadata()
            .addToStringData("password", "second")
            .build();
    cluster.create(secret);
  }

  private void report(Pod... pods) {
    StatefulSet set = new StatefulSetBuilder().withNewMetadata().endMetadata().build();
    var observed = new ObservedStatefulSet(set, List.of(pods).stream().map(PodState::new).toList());
    new ContentSinceStart(new ImpersonatedClients(cluster.client(), ""), engine.events)
        .report(app, List.of(observed));
  }

  private List<String> notes() {
    return cluster.events().stream()
        .filter(event -> "ContentChanged".equals(event.getReason()))
        .map(io.fabric8.kubernetes.api.model.events.v1.Event::getNote)
        .toList();
  }

  private static Pod pod(String name, Instant started) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("db")
        .addNewEnvFrom()
        .withNewSecretRef()
        .withName("users")
        .endSecretRef()
        .endEnvFrom()
        .endContainer()
        .endSpec()
        .withNewStatus()
        .addNewContainerStatus()
        .withName("db")
        .withNewState()
        .withNewRunning()
        .withStartedAt(started.toString())
        .endRunning()
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }
}
