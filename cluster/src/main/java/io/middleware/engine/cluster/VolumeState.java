package io.middleware.engine.cluster;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimCondition;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A volume's state, as its PersistentVolumeClaim reports it. */
public record VolumeState(PersistentVolumeClaim claim) {
  private static final String STORAGE = "storage";
  private static final String RESIZE_PENDING = "FileSystemResizePending";
  private static final Quantity ZERO = new Quantity("0");

  public String name() {
    return claim.getMetadata().getName();
  }

  public String uid() {
    return claim.getMetadata().getUid();
  }

  public boolean isTerminating() {
    return claim.getMetadata().getDeletionTimestamp() != null;
  }

  /** Whether the claim is bound to a volume; before that it cannot grow. */
  public boolean isBound() {
    return "Bound".equals(status().getPhase());
  }

  /** Whether it has a volume, or is about to get a certain one. Otherwise it has no data. */
  public boolean hasVolume() {
    return isBound() || claim.getSpec().getVolumeName() != null;
  }

  /** The requested size. */
  public Quantity requested() {
    var resources = claim.getSpec().getResources();
    return storage(resources == null ? null : resources.getRequests());
  }

  /**
   * Whether its claim may and must ask for this size. Kubernetes takes back what was asked for to
   * any size above the one that the volume has.
   */
  public boolean canAskFor(Quantity size) {
    return isBound()
        && (VolumeClaimSize.exceeds(size, requested())
            || VolumeClaimSize.exceeds(requested(), size)
                && VolumeClaimSize.exceeds(size, storage(status().getCapacity())));
  }

  /**
   * What the volume lacks to have the desired size; empty when it has it. A volume that is not
   * mounted on a node counts as grown when only its file system is still small: that grows when a
   * pod mounts it.
   *
   * @param pods that may use the volume
   */
  public Optional<String> missing(Quantity desired, List<PodState> pods) {
    var actual = storage(status().getCapacity());
    if (!VolumeClaimSize.exceeds(desired, actual)) {
      return Optional.empty();
    }
    if (!isBound()) {
      return Optional.of(
          "volume claim %s: is %s; a volume can grow only once it is bound"
              .formatted(name(), status().getPhase()));
    }
    var user = pods.stream().filter(this::isUsedBy).findFirst();
    var isGrown = condition(RESIZE_PENDING).isPresent();
    return isGrown && user.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "volume claim %s: has %s of %s: %s%s"
                .formatted(
                    name(),
                    actual,
                    desired,
                    trouble(),
                    user.filter(pod -> isGrown).map(VolumeState::restartAdvice).orElse("")));
  }

  private static String restartAdvice(PodState pod) {
    return "; if this does not change, restart pod %s: its storage driver cannot grow a file system in use"
        .formatted(pod.name());
  }

  private String trouble() {
    var conditions =
        status().getConditions().stream()
            .filter(VolumeState::isTrue)
            .map(VolumeState::text)
            .collect(joining(", "));
    return Stream.of(conditions, resizeStatus())
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse("its storage driver has not started to grow it");
  }

  private String resizeStatus() {
    var statuses = status().getAllocatedResourceStatuses();
    return statuses == null ? "" : statuses.getOrDefault(STORAGE, "");
  }

  private Optional<PersistentVolumeClaimCondition> condition(String type) {
    return status().getConditions().stream()
        .filter(condition -> type.equals(condition.getType()) && isTrue(condition))
        .findFirst();
  }

  private static boolean isTrue(PersistentVolumeClaimCondition condition) {
    return "True".equals(condition.getStatus());
  }

  private static String text(PersistentVolumeClaimCondition condition) {
    return Stream.of(condition.getType(), condition.getReason(), condition.getMessage())
        .filter(part -> part != null && !part.isEmpty())
        .distinct()
        .collect(joining(": "));
  }

  private boolean isUsedBy(PodState state) {
    var spec = state.pod().getSpec();
    return spec != null
        && spec.getNodeName() != null
        && spec.getVolumes().stream()
            .map(volume -> volume.getPersistentVolumeClaim())
            .anyMatch(source -> source != null && name().equals(source.getClaimName()));
  }

  private static Quantity storage(Map<String, Quantity> amounts) {
    return amounts == null ? ZERO : amounts.getOrDefault(STORAGE, ZERO);
  }

  private PersistentVolumeClaimStatus status() {
    return claim.getStatus() == null ? new PersistentVolumeClaimStatus() : claim.getStatus();
  }
}
