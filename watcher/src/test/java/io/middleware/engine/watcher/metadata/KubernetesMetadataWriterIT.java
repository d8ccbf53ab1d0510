package io.middleware.engine.watcher.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.process.EngineMetric;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.OnApiServer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OnApiServer.class)
class KubernetesMetadataWriterIT {
  private static final String NAME = "middleware-metadata";
  private static final Optional<String> REMOVED = Optional.empty();

  /** Two of them are more than a ConfigMap takes. */
  private static final Optional<String> LARGE = Optional.of("x".repeat(600_000));

  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final LocalCluster cluster;
  private final KubernetesMetadataWriter writer;

  KubernetesMetadataWriterIT(LocalCluster cluster) {
    this.cluster = cluster;
    this.writer = new KubernetesMetadataWriter(cluster.client(), "watcher", meters);
  }

  @Test
  void shouldMakeTheConfigMapThatIsNotThere() {
    // When
    var refused = write(Map.of("cache", Optional.of("{}"), "gone", REMOVED));
    // Then
    assertThat(refused).isEmpty();
    assertThat(data()).isEqualTo(Map.of("cache", "{}"));
  }

  @Test
  void shouldChangeOnlyTheKeysThatItIsGiven() {
    // Given
    write(Map.of("cache", Optional.of("1"), "queue", Optional.of("1"), "old", Optional.of("1")));
    // When
    write(Map.of("cache", Optional.of("2"), "old", REMOVED));
    // Then
    assertThat(data()).isEqualTo(Map.of("cache", "2", "queue", "1"));
    assertThat(writes()).isEqualTo(2);
  }

  @Test
  void shouldRemoveAKeyTwiceAndTheLastOne() {
    // Given
    write(Map.of("cache", Optional.of("1")));
    // When
    write(Map.of("cache", REMOVED));
    write(Map.of("cache", REMOVED));
    // Then
    assertThat(data()).isNullOrEmpty();
  }

  @Test
  void shouldMakeNoConfigMapForARemoval() {
    // When
    write(Map.of("cache", REMOVED));
    // Then
    assertThat(cluster.named(ConfigMap.class, NAME).get()).isNull();
  }

  @Test
  void shouldMakeTheConfigMapAgainThatSomebodyHasDeleted() {
    // Given
    write(Map.of("cache", Optional.of("1"), "queue", Optional.of("1")));
    cluster.named(ConfigMap.class, NAME).delete();
    // When
    write(Map.of("cache", Optional.of("2")));
    // Then
    assertThat(data()).isEqualTo(Map.of("cache", "2"));
  }

  @Test
  void shouldKeepOutOnlyWhatHasNoRoom() {
    // Given
    write(Map.of("first", LARGE));
    var keys = new LinkedHashMap<String, Optional<String>>();
    keys.put("second", LARGE);
    keys.put("small", Optional.of("1"));
    // When
    var refused = write(keys);
    // Then
    assertThat(refused).containsExactly("second");
    assertThat(data()).containsOnlyKeys("first", "small");
  }

  @Test
  void shouldKeepOutOnlyWhatHasNoRoomInANewConfigMap() {
    // When
    var refused = write(Map.of("first", LARGE, "second", LARGE, "small", Optional.of("1")));
    // Then
    assertThat(refused).hasSize(1).isSubsetOf("first", "second");
    assertThat(data()).hasSize(2).containsKey("small");
  }

  @Test
  void shouldMakeRoomFirst() {
    // Given
    write(Map.of("first", LARGE));
    // When
    var refused = write(Map.of("second", LARGE, "third", LARGE, "first", REMOVED));
    // Then
    assertThat(refused).hasSize(1).isSubsetOf("second", "third");
    assertThat(data()).hasSize(1).doesNotContainKey("first");
  }

  /** More than a request may have. */
  @Test
  void shouldKeepOutWhatIsLargerThanARequest() {
    // Given
    var huge = Optional.of("x".repeat(4_000_000));
    // When
    var refused = write(Map.of("huge", huge, "small", Optional.of("1")));
    // Then
    assertThat(refused).containsExactly("huge");
    assertThat(data()).containsOnlyKeys("small");
  }

  @Test
  void shouldNotSwallowThatThereIsNoNamespace() {
    assertThatThrownBy(() -> writer.write("there-is-none", NAME, Map.of("cache", Optional.of("1"))))
        .isInstanceOf(KubernetesClientException.class);
    assertThat(writes()).isZero();
  }

  private Set<String> write(Map<String, Optional<String>> keys) {
    return writer.write(cluster.namespace(), NAME, keys);
  }

  private Map<String, String> data() {
    return cluster.named(ConfigMap.class, NAME).get().getData();
  }

  private double writes() {
    return EngineMetric.METADATA_WRITES.counter(meters).count();
  }
}
