package io.middleware.engine.watcher.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.process.EngineMetric;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.watcher.apiserver.ClusterCase;
import org.junit.jupiter.api.Test;

class ServerSideStatusWriterIT extends ClusterCase<App> {
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final ServerSideStatusWriter writer;

  ServerSideStatusWriterIT(LocalCluster cluster) {
    super(cluster);
    this.writer = new ServerSideStatusWriter(cluster.client(), "watcher", meters);
  }

  @Override
  public App create(String name) {
    return cluster.createApp(text -> text.replace("{name: cache}", "{name: %s}".formatted(name)));
  }

  @Test
  void shouldLeaveTheFieldsOfOthersAsTheyAre() {
    // Given
    var app = create("cache");
    cluster.patchStatus("{\"observedGeneration\": 1, \"change\": {\"runId\": \"run-1\"}}");
    // When
    writer.write(health(app, "Running", "2/2"));
    // Then
    var status = cluster.now(app).getStatus();
    assertThat(status.phase()).isEqualTo("Running");
    assertThat(status.observedGeneration()).isEqualTo(1);
    assertThat(status.change().runId()).isEqualTo("run-1");
    assertThat(writes()).isEqualTo(1);
  }

  @Test
  void shouldTakeBackWhatItDoesNotWriteAnyMore() {
    // Given
    var app = create("cache");
    writer.write(health(app, "Running", "2/2"));
    // When
    writer.write(health(app, "Running", null));
    // Then
    assertThat(cluster.now(app).getStatus().ready()).isNull();
  }

  @Test
  void shouldChangeNothingWhenItWritesTheSameAgain() {
    // Given
    var app = create("cache");
    writer.write(health(app, "Running", "2/2"));
    var written = cluster.now(app);
    // When
    writer.write(health(app, "Running", "2/2"));
    // Then
    assertThat(cluster.now(app).getMetadata().getResourceVersion())
        .isEqualTo(written.getMetadata().getResourceVersion());
  }

  /** By hand, or by a restore of a backup of the cluster. */
  @Test
  void shouldCorrectWhatSomebodyElseHasWritten() {
    // Given
    var app = create("cache");
    writer.write(health(app, "Running", "2/2"));
    cluster.patchStatus("{\"phase\": \"Failed\"}");
    // When
    writer.write(health(app, "Running", "2/2"));
    // Then
    assertThat(cluster.now(app).getStatus().phase()).isEqualTo("Running");
  }

  @Test
  void shouldWriteToAnAppThatIsBeingDeleted() {
    // Given
    var app = createDeleted("cache");
    // When
    writer.write(health(app, "Deleting", "2/2"));
    // Then
    assertThat(cluster.now(app).getStatus().phase()).isEqualTo("Deleting");
  }

  @Test
  void shouldNotBringBackAnAppThatIsGone() {
    // Given
    var app = create("cache");
    remove(app);
    // When
    writer.write(health(app, "Running", "2/2"));
    // Then
    assertThat(cluster.all(App.class)).isEmpty();
    assertThat(writes()).isZero();
  }

  @Test
  void shouldNotSwallowARefusal() {
    // Given
    var app = create("cache");
    // When Then
    assertThatThrownBy(() -> writer.write(health(app, "no such phase", "2/2")))
        .isInstanceOf(KubernetesClientException.class);
    assertThat(writes()).isZero();
  }

  private double writes() {
    return EngineMetric.HEALTH_WRITES.counter(meters, "App").count();
  }

  private static App health(App app, String phase, String ready) {
    var bare = StatusUpdate.bare(app, new App());
    bare.setStatus(AppStatusBuilder.builder().phase(phase).ready(ready).build());
    return bare;
  }
}
