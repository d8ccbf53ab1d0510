package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A change of a sensitive value and of the storage, while the value is edited once more. */
@ExtendWith(ApiServer.class)
class EditedSecretIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;
  private App changed;

  EditedSecretIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
  }

  @BeforeEach
  void edit() {
    cluster.createPlugin();
    writers.carryOut(cluster.createApp(), ChangeType.PROVISION);
    changed = cluster.editApp(yaml -> yaml.replace("100mb", "200mb").replace("1Gi", "2Gi"));
    engine.begin(changed);
    cluster.keepSpecWithout(changed, "maxmemory");
    cluster.editApp(yaml -> yaml.replace("100mb", "300mb").replace("1Gi", "2Gi"));
  }

  @Test
  void shouldNotWriteAMarkInPlaceOfTheValue() {
    // When Then
    assertThatThrownBy(() -> writers.transaction().begin(task(ChangeType.CONFIG)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Superseded"))
        .hasMessageContaining("a sensitive value of component db was edited");
    assertThat(deployed().values()).containsEntry("maxmemory", "100mb");
  }

  @Test
  void shouldCarryOutATaskThatDoesNotWriteTheValue() {
    // When
    writers.transaction().begin(task(ChangeType.STORAGE));
    // Then
    assertThat(deployed().groups().getFirst().storage().size()).isEqualTo("2Gi");
    assertThat(deployed().values()).containsEntry("maxmemory", "100mb");
  }

  private ComponentSpec deployed() {
    return cluster.named(Component.class, "cache-db").get().getSpec();
  }

  private TaskRef task(ChangeType type) {
    return new TaskRef(cluster.change(changed, "run-1"), "2-task-db", type, "db");
  }
}
