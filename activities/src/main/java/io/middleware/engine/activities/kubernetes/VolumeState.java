package io.middleware.engine.activities.kubernetes;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimCondition;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** How a volume is, in its claim's own words. */
public record VolumeState(PersistentVolumeClaim claim) {
  private static final String STORAGE = "storage";
  private static final String MOUNT = "FileSystemResizePending";
  private static final Quantity NOTHING = new Quantity("0");

  public String name() {
    return claim.getMetadata().getName();
  }

  public String uid() {
    return claim.getMetadata().getUid();
  }

  public boolean isTerminating() {
    return claim.getMetadata().getDeletionTimestamp() != null;
  }

  /** Whether there is a volume; before that nothing can grow. */
  public boolean isBound() {
    return "Bound".equals(status().getPhase());
  }

  /** The size that is asked for. */
  public Quantity requested() {
    var resources = claim.getSpec().getResources();
    return storage(resources == null ? null : resources.getRequests());
  }

  /**
   * What it lacks to have this size; empty when it has it. A volume that no node holds has grown
   * when only its file system has not: that follows when a pod mounts it.
   *
   * @param pods those that may use it
   */
  public Optional<String> missing(Quantity wanted, List<PodState> pods) {
    var has = storage(status().getCapacity());
    if (!ClaimSize.exceeds(wanted, has)) {
      return Optional.empty();
    }
    if (!isBound()) {
      return Optional.of(
          "claim %s: is %s, a volume grows once it is bound"
              .formatted(name(), status().getPhase()));
    }
    var user = pods.stream().filter(this::isHeldBy).findFirst();
    var isGrown = condition(MOUNT).isPresent();
    return isGrown && user.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "claim %s: has %s of %s: %s%s"
                .formatted(
                    name(),
                    has,
                    wanted,
                    trouble(),
                    user.filter(pod -> isGrown).map(VolumeState::restart).orElse("")));
  }

  private static String restart(PodState pod) {
    return "; if it stays so, restart pod %s: its driver cannot grow a file system in use"
        .formatted(pod.name());
  }

  private String trouble() {
    var conditions =
        status().getConditions().stream()
            .filter(VolumeState::isTrue)
            .map(VolumeState::words)
            .collect(joining(", "));
    return Stream.of(conditions, resizeStatus())
        .filter(words -> !words.isEmpty())
        .findFirst()
        .orElse("its storage driver has not begun");
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

  private static String words(PersistentVolumeClaimCondition condition) {
    return Stream.of(condition.getType(), condition.getReason(), condition.getMessage())
        .filter(word -> word != null && !word.isEmpty())
        .distinct()
        .collect(joining(": "));
  }

  private boolean isHeldBy(PodState state) {
    var spec = state.pod().getSpec();
    return spec != null
        && spec.getNodeName() != null
        && spec.getVolumes().stream()
            .map(volume -> volume.getPersistentVolumeClaim())
            .anyMatch(source -> source != null && name().equals(source.getClaimName()));
  }

  private static Quantity storage(Map<String, Quantity> amounts) {
    return amounts == null ? NOTHING : amounts.getOrDefault(STORAGE, NOTHING);
  }

  private PersistentVolumeClaimStatus status() {
    return claim.getStatus() == null ? new PersistentVolumeClaimStatus() : claim.getStatus();
  }
}
