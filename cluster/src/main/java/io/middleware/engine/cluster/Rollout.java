package io.middleware.engine.cluster;

import static java.util.Objects.requireNonNullElse;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.middleware.engine.process.pods.PodNames;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a workload lacks to be rolled out; pure functions on its objects. */
public final class Rollout {
  private static final int NAMED = 3;
  private static final Pattern NUMBER = Pattern.compile("(?<=-)[0-9]{1,9}$");

  private Rollout() {}

  /** Whether the StatefulSet's controller has observed this generation of its spec. */
  public static boolean hasSeen(StatefulSet set, long generation) {
    var observed = status(set).getObservedGeneration();
    return set.getMetadata().getGeneration() >= generation
        && observed != null
        && observed >= generation;
  }

  /** The revision that the pods should have. */
  public static String revision(StatefulSet set) {
    return requireNonNullElse(status(set).getUpdateRevision(), "");
  }

  /** The desired number of pods. */
  public static int replicas(StatefulSet set) {
    return requireNonNullElse(set.getSpec().getReplicas(), 1);
  }

  /** Whether the pod's number is none of the set's, so that the controller will delete it. */
  public static boolean isSurplus(StatefulSet set, PodState pod) {
    return isBeyond(set, replicas(set), pod);
  }

  /** Whether the pod's number is none of these many replicas. */
  public static boolean isBeyond(StatefulSet set, int replicas, PodState pod) {
    var start = firstNumber(set);
    return NUMBER
        .matcher(pod.name())
        .results()
        .mapToInt(number -> Integer.parseInt(number.group()))
        .anyMatch(number -> number < start || number >= start + replicas);
  }

  /**
   * The pod that the controller should create next; empty when it has created all, or waits until
   * an earlier one is ready.
   */
  public static Optional<String> due(StatefulSet set, List<PodState> pods) {
    var ordered = !"Parallel".equals(set.getSpec().getPodManagementPolicy());
    var existing = pods.stream().collect(Collectors.toMap(PodState::name, PodState::isReady));
    return podNames(set, replicas(set)).stream()
        .filter(name -> !existing.getOrDefault(name, false))
        .filter(name -> ordered || !existing.containsKey(name))
        .findFirst()
        .filter(name -> !existing.containsKey(name));
  }

  /** The names of this many pods of the set. */
  public static List<String> podNames(StatefulSet set, int number) {
    return PodNames.of(set.getMetadata().getName(), firstNumber(set), number);
  }

  private static int firstNumber(StatefulSet set) {
    var first = set.getSpec().getOrdinals();
    return first == null ? 0 : requireNonNullElse(first.getStart(), 0);
  }

  /** The pods created from an older template, without surplus ones, in name order. */
  public static List<PodState> outdated(StatefulSet set, List<PodState> pods) {
    return pods.stream()
        .filter(pod -> !isSurplus(set, pod))
        .filter(pod -> !pod.revision().equals(revision(set)))
        .sorted(Comparator.comparing(PodState::name, NaturalOrder.OF_NAMES))
        .toList();
  }

  /** Why a pod is not an up to date and ready pod of the set; empty when it is. */
  public static Optional<String> missing(StatefulSet set, PodState pod) {
    if (!pod.isReady()) {
      return Optional.of("pod %s: not ready: %s".formatted(pod.name(), pod.trouble()));
    }
    return pod.revision().equals(revision(set))
        ? Optional.empty()
        : Optional.of(
            "pod %s: is out of date: has revision %s instead of %s"
                .formatted(pod.name(), pod.revision(), revision(set)));
  }

  /**
   * How many of the ready pods are not available yet, because they have not been ready for the
   * set's {@code minReadySeconds}. Its controller says so, by its own clock.
   */
  public static int unavailable(StatefulSet set, List<PodState> pods) {
    if (requireNonNullElse(set.getSpec().getMinReadySeconds(), 0) == 0) {
      return 0;
    }
    var ready = (int) pods.stream().filter(PodState::isReady).count();
    return Math.max(0, ready - requireNonNullElse(status(set).getAvailableReplicas(), 0));
  }

  /** For people: why not all ready pods of the set are available; empty when they are. */
  public static Optional<String> unavailableMessage(StatefulSet set, List<PodState> pods) {
    var unavailable = unavailable(set, pods);
    return unavailable == 0
        ? Optional.empty()
        : Optional.of(
            "StatefulSet %s: %d ready pods are not available yet: minReadySeconds is %d"
                .formatted(
                    set.getMetadata().getName(), unavailable, set.getSpec().getMinReadySeconds()));
  }

  /** Why not all pods of the set are up to date and ready; empty when they are. */
  public static Optional<String> missing(StatefulSet set, List<PodState> pods, long generation) {
    var name = set.getMetadata().getName();
    return missing(set, pods, new AppliedStatefulSet(name, generation, ""));
  }

  /** The same where some pods may be out of date, and others are not waited for. */
  public static Optional<String> missing(
      StatefulSet set, List<PodState> pods, AppliedStatefulSet written) {
    if (!hasSeen(set, written.generation())) {
      return notObserved("StatefulSet", set, written.generation());
    }
    var kept = written.kept();
    var leaving = written.leaving();
    List<String> missing = new ArrayList<>();
    pods.stream()
        .filter(pod -> !leaving.contains(pod.name()))
        .sorted(Comparator.comparing(PodState::name, NaturalOrder.OF_NAMES))
        .filter(pod -> !pod.isReady() || !kept.contains(pod.name()))
        .flatMap(pod -> missing(set, pod).stream())
        .forEach(missing::add);
    if (missing.isEmpty()) {
      difference(set, pods, leaving).ifPresent(missing::add);
    }
    return firstFew(missing).or(() -> unavailableMessage(set, pods));
  }

  /** How the pods differ by name from those that the set should have; empty when they do not. */
  public static Optional<String> difference(StatefulSet set, List<PodState> pods) {
    return difference(set, pods, List.of());
  }

  private static Optional<String> difference(
      StatefulSet set, List<PodState> pods, List<String> leaving) {
    var names = new ArrayList<>(podNames(set, replicas(set)));
    names.removeAll(leaving);
    var existing = pods.stream().map(PodState::name).collect(Collectors.toSet());
    existing.removeAll(leaving);
    var absent = names.stream().filter(name -> !existing.contains(name)).toList();
    var surplus =
        existing.stream()
            .filter(name -> !names.contains(name))
            .sorted(NaturalOrder.OF_NAMES)
            .toList();
    return absent.isEmpty() && surplus.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "StatefulSet %s: has %d of %d pods%s%s"
                .formatted(
                    set.getMetadata().getName(),
                    names.size() - absent.size(),
                    names.size(),
                    named("; missing: ", absent),
                    named("; not deleted yet: ", surplus)));
  }

  private static String named(String what, List<String> pods) {
    return pods.isEmpty()
        ? ""
        : what
            + String.join(", ", pods.stream().limit(NAMED).toList())
            + (pods.size() > NAMED ? " and %d more".formatted(pods.size() - NAMED) : "");
  }

  /** Pods of the set's names that it does not own, so that its controller cannot create its own. */
  public static List<String> occupied(StatefulSet set, List<PodState> pods) {
    var names = podNames(set, replicas(set));
    return pods.stream()
        .filter(pod -> names.contains(pod.name()) && !pod.isControlledBy(set))
        .map(pod -> occupied(set, pod))
        .toList();
  }

  private static String occupied(StatefulSet set, PodState pod) {
    return "pod %s: exists, and StatefulSet %s does not own it: restore its labels to those that the selector asks for, or delete it"
        .formatted(pod.name(), set.getMetadata().getName());
  }

  /** Which pods of a replaced StatefulSet the new one has not adopted; empty when none. */
  public static Optional<String> notAdopted(
      StatefulSet set, List<PodState> orphans, long generation) {
    if (!hasSeen(set, generation)) {
      return notObserved("StatefulSet", set, generation);
    }
    var name = set.getMetadata().getName();
    return firstFew(
        orphans.stream()
            .map(pod -> "pod %s: StatefulSet %s has not adopted it yet".formatted(pod.name(), name))
            .toList());
  }

  /** Why the Deployment is not rolled out; empty when it is. */
  public static Optional<String> missing(Deployment deployment, long generation) {
    var status = requireNonNullElse(deployment.getStatus(), new DeploymentStatus());
    var observed = status.getObservedGeneration();
    if (deployment.getMetadata().getGeneration() < generation
        || observed == null
        || observed < deployment.getMetadata().getGeneration()) {
      return notObserved("Deployment", deployment, generation);
    }
    int desired = requireNonNullElse(deployment.getSpec().getReplicas(), 1);
    int updated = requireNonNullElse(status.getUpdatedReplicas(), 0);
    int available = requireNonNullElse(status.getAvailableReplicas(), 0);
    int all = requireNonNullElse(status.getReplicas(), 0);
    if (updated == desired && available == desired && all == desired) {
      return Optional.empty();
    }
    return Optional.of(
        "Deployment %s: %d of %d pods updated, %d available, %d in total%s"
            .formatted(
                deployment.getMetadata().getName(),
                updated,
                desired,
                available,
                all,
                stalled(status.getConditions())));
  }

  /** Why the Deployment's pods cannot be created; empty when they can. */
  public static Optional<String> refused(Deployment deployment) {
    var status = requireNonNullElse(deployment.getStatus(), new DeploymentStatus());
    return status.getConditions().stream()
        .filter(Rollout::isRefusal)
        .map(
            refusal ->
                "Deployment %s: pods cannot be created: %s"
                    .formatted(deployment.getMetadata().getName(), refusal.getMessage()))
        .findFirst();
  }

  private static boolean isRefusal(DeploymentCondition condition) {
    return "ReplicaFailure".equals(condition.getType()) && "True".equals(condition.getStatus());
  }

  /** The first few reasons, so that a message stays readable; empty when there is none. */
  public static Optional<String> firstFew(List<String> reasons) {
    if (reasons.isEmpty()) {
      return Optional.empty();
    }
    var more = reasons.size() - NAMED;
    var named = String.join("; ", reasons.stream().limit(NAMED).toList());
    return Optional.of(more > 0 ? named + "; and %d more".formatted(more) : named);
  }

  private static String stalled(List<DeploymentCondition> conditions) {
    return conditions.stream()
        .filter(c -> isRefusal(c) || isStalled(c))
        .sorted(Comparator.comparing(c -> !isRefusal(c)))
        .map(c -> ": " + c.getReason() + ": " + c.getMessage())
        .findFirst()
        .orElse("");
  }

  private static boolean isStalled(DeploymentCondition condition) {
    return "Progressing".equals(condition.getType()) && !"True".equals(condition.getStatus());
  }

  private static Optional<String> notObserved(String kind, HasMetadata object, long generation) {
    return Optional.of(
        "%s %s: its controller has not observed generation %d yet"
            .formatted(kind, object.getMetadata().getName(), generation));
  }

  private static StatefulSetStatus status(StatefulSet set) {
    return requireNonNullElse(set.getStatus(), new StatefulSetStatus());
  }
}
