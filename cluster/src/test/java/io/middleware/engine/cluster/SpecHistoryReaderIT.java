package io.middleware.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.render.sensitive.SensitiveMarks;
import io.temporal.failure.ApplicationFailure;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The spec of the App's first generation, after an edit. */
@ExtendWith(ApiServer.class)
class SpecHistoryReaderIT {
  private final LocalNamespace cluster;
  private final SpecHistoryReader specHistory;
  private final App first;
  private final App edited;

  SpecHistoryReaderIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.specHistory = new SpecHistoryReader(cluster.client());
    this.first = cluster.createApp();
    this.edited = cluster.editApp(yaml -> yaml.replace("100mb", "200mb"));
  }

  @Test
  void shouldBeTheSpecThatTheChangeCarriesOut() {
    // Given
    keep(first.getMetadata().getUid());
    // When
    var app = specHistory.of(cluster.change(first, "run-1"), edited);
    // Then
    assertThat(app.getSpec()).isEqualTo(first.getSpec());
    assertThat(app.getMetadata()).isEqualTo(edited.getMetadata());
    assertThat(specHistory.of(cluster.change(edited, "run-1"), edited)).isSameAs(edited);
  }

  @Test
  void shouldStayKnownWhenTheRevisionIsDeleted() {
    // Given
    keep(first.getMetadata().getUid());
    specHistory.of(cluster.change(first, "run-1"), edited);
    // When
    cluster.named(ControllerRevision.class, "cache-1").delete();
    // Then
    assertThat(specHistory.of(cluster.change(first, "run-1"), edited).getSpec())
        .isEqualTo(first.getSpec());
  }

  @Test
  void shouldNotBeTakenFromAnotherAppOfTheSameName() {
    // Given
    keep("another-uid");
    // When Then
    assertThatThrownBy(() -> specHistory.of(cluster.change(first, "run-1"), edited))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Invalid"))
        .hasMessageContaining("cache-1");
  }

  @Test
  void shouldFindTheSensitiveValuesInTheApp() {
    // Given
    var marked = keepWithoutSecrets();
    // When
    var sameSecret = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"7.2\""));
    // Then
    assertThat(marked).contains("maxmemory").doesNotContain("100mb");
    assertThat(specHistory.of(cluster.change(first, "run-1"), sameSecret).getSpec())
        .isEqualTo(first.getSpec());
  }

  @Test
  void shouldFindTheSensitiveValuesInTheComponents() {
    // Given
    keepWithoutSecrets();
    var component = new Component();
    component.setMetadata(
        new ObjectMetaBuilder().withName("cache-db").addToLabels(Labels.APP, "cache").build());
    var values = Map.<String, Object>of("maxmemory", "100mb");
    component.setSpec(
        new ComponentSpec("cache", "db", "redis", null, null, null, values, null, null, null));
    cluster.create(component);
    // When Then
    assertThat(specHistory.of(cluster.change(first, "run-1"), edited).getSpec())
        .isEqualTo(first.getSpec());
  }

  @Test
  void shouldLeaveTheMarkOfAValueThatWasEdited() {
    // Given
    keepWithoutSecrets();
    // When
    var spec = specHistory.of(cluster.change(first, "run-1"), edited).getSpec();
    // Then
    assertThat(spec.components().getFirst().values().get("maxmemory"))
        .matches(SensitiveMarks::isMark);
  }

  private String keepWithoutSecrets() {
    return cluster.keepSpecWithout(first, "maxmemory").toString();
  }

  private void keep(String owner) {
    cluster.keepSpec(first, owner, first.getSpec());
  }
}
