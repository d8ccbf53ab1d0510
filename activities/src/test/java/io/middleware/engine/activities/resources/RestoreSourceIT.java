package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Until when the Backup counts that a new App begins with. */
@ExtendWith(ApiServer.class)
class RestoreSourceIT {
  private static final String RESTORED =
      """
      {"conditions": [{"type": "Restored", "status": "True", "reason": "RestoreCompleted",
        "message": "m", "lastTransitionTime": "2026-11-21T10:00:00Z"}]}""";

  private final LocalNamespace cluster;
  private final LocalWriters writers;

  RestoreSourceIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.writers = new LocalWriters(new LocalEngine(cluster));
  }

  @Test
  void shouldBeChangedOnlyUntilTheAppIsRestored() {
    // Given
    cluster.createApp(RestoreSourceIT::restoring);
    // When Then
    assertThat(restore("tuesday").getSpec().restoreFrom().backup()).isEqualTo("tuesday");
    // and then
    cluster.patchStatus(RESTORED);
    assertThatThrownBy(() -> restore("monday"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("the App has been restored already");
  }

  @Test
  void shouldFillNoComponentThatIsAddedLater() {
    // Given
    cluster.createPlugin();
    var app = cluster.createApp(RestoreSourceIT::restoring);
    cluster.patchStatus(RESTORED);
    // When
    writers.open(cluster.named(App.class, app.getMetadata().getName()).get(), ChangeType.PROVISION);
    // Then
    assertThat(cluster.named(Component.class, "cache-db").get().getSpec().restoreFrom()).isNull();
  }

  private static String restoring(String yaml) {
    return yaml.replace(
        "spec:\n",
        "spec:\n  backup: {enabled: false, store: nightly}\n  restoreFrom: {backup: monday}\n");
  }

  private App restore(String backup) {
    return cluster.editApp(
        yaml -> restoring(yaml).replace("{backup: monday}", "{backup: %s}".formatted(backup)));
  }
}
