package io.middleware.engine.cluster;

import static io.middleware.engine.cluster.SampleObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeStateTest {
  private static final Quantity DESIRED = new Quantity("2Gi");

  @ParameterizedTest
  @CsvSource({"2Gi", "2048Mi", "3Gi"})
  void shouldLackNothingOnceItHasTheSizeInAnyUnit(String capacity) {
    assertThat(volume("data-db-0", capacity).missing(DESIRED, List.of())).isEmpty();
  }

  @Test
  void shouldSayThatTheDriverHasNotStarted() {
    assertThat(volume("data-db-0", "1Gi").missing(DESIRED, List.of()))
        .contains(
            "volume claim data-db-0: has 1Gi of 2Gi: its storage driver has not started to grow it");
  }

  @Test
  void shouldQuoteItsConditions() {
    assertThat(missing(conditioned("ControllerResizeError", "no space left in pool-1")))
        .contains(
            "volume claim data-db-0: has 1Gi of 2Gi: ControllerResizeError: no space left in pool-1");
  }

  @Test
  void shouldQuoteTheResizeStatusWithoutConditions() {
    // Given
    var claim =
        new PersistentVolumeClaimBuilder(volume("data-db-0", "1Gi").claim())
            .editStatus()
            .addToAllocatedResourceStatuses("storage", "NodeResizeInfeasible")
            .endStatus()
            .build();
    // Then
    assertThat(new VolumeState(claim).missing(DESIRED, List.of()))
        .contains("volume claim data-db-0: has 1Gi of 2Gi: NodeResizeInfeasible");
  }

  @Test
  void shouldWaitUntilItIsBound() {
    // Given
    var claim =
        new PersistentVolumeClaimBuilder(volume("data-db-0", "1Gi").claim())
            .withNewStatus()
            .withPhase("Pending")
            .endStatus()
            .build();
    // Then
    assertThat(new VolumeState(claim).missing(DESIRED, List.of()))
        .contains("volume claim data-db-0: is Pending; a volume can grow only once it is bound");
  }

  @Test
  void shouldSayWhichPodToRestartForTheFileSystem() {
    // Given
    var volume = conditioned("FileSystemResizePending", "waiting for the node");
    // Then
    assertThat(volume.missing(DESIRED, List.of(pod("db-1", "node-1"), pod("db-0", "node-1"))))
        .contains(
            "volume claim data-db-0: has 1Gi of 2Gi: FileSystemResizePending: waiting for the node;"
                + " if this does not change, restart pod db-0: its storage driver cannot grow a file"
                + " system in use");
  }

  @Test
  void shouldNotWaitForTheFileSystemOfAnUnmountedVolume() {
    // Given
    var volume = conditioned("FileSystemResizePending", "waiting for the node");
    // Then
    assertThat(volume.missing(DESIRED, List.of(pod("db-0", null)))).isEmpty();
  }

  private static Optional<String> missing(VolumeState volume) {
    return volume.missing(DESIRED, List.of());
  }

  private static VolumeState conditioned(String type, String message) {
    return new VolumeState(
        new PersistentVolumeClaimBuilder(volume("data-db-0", "1Gi").claim())
            .editStatus()
            .addNewCondition()
            .withType(type)
            .withStatus("True")
            .withMessage(message)
            .endCondition()
            .endStatus()
            .build());
  }

  private static PodState pod(String name, String node) {
    return new PodState(
        new PodBuilder(SampleObjects.unready(name, "new").pod())
            .withNewSpec()
            .withNodeName(node)
            .addNewVolume()
            .withNewPersistentVolumeClaim("data-" + name, false)
            .endVolume()
            .endSpec()
            .build());
  }
}
