package io.middleware.engine.activities.kubernetes;

import static java.util.Objects.requireNonNullElse;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a workload lacks; a pure look at objects. */
public final class Rollout {
  private static final int NAMED = 3;
  private static final Pattern NUMBER = Pattern.compile("(?<=-)[0-9]{1,9}$");
  private static final Pattern NUMBERS = Pattern.compile("[0-9]{1,9}");

  private Rollout() {}

  /** Whether the StatefulSet's status speaks of this generation of its spec. */
  public static boolean hasSeen(StatefulSet set, long generation) {
    var observed = status(set).getObservedGeneration();
    return set.getMetadata().getGeneration() >= generation
        && observed != null
        && observed >= generation;
  }

  /** The revision that its pods should have. */
  public static String revision(StatefulSet set) {
    return requireNonNullElse(status(set).getUpdateRevision(), "");
  }

  /** How many pods it should have. */
  public static int wanted(StatefulSet set) {
    return requireNonNullElse(set.getSpec().getReplicas(), 1);
  }

  /** Whether it has the pod only until its controller has taken it away: too many by its number. */
  public static boolean isSurplus(StatefulSet set, PodState pod) {
    return isBeyond(set, wanted(set), pod);
  }

  /** Whether the set would not have the pod if it were of that many. */
  public static boolean isBeyond(StatefulSet set, int replicas, PodState pod) {
    var first = set.getSpec().getOrdinals();
    var start = first == null ? 0 : requireNonNullElse(first.getStart(), 0);
    return NUMBER
        .matcher(pod.name())
        .results()
        .anyMatch(number -> Integer.parseInt(number.group()) >= start + replicas);
  }

  /** Whether the name is that of a StatefulSet, or of a claim template, with a number behind it. */
  static boolean isNumbered(String base, String name) {
    return name.startsWith(base + "-")
        && NUMBERS.matcher(name.substring(base.length() + 1)).matches();
  }

  /** The pods to keep that were made from an older template, by name. */
  public static List<PodState> outdated(StatefulSet set, List<PodState> pods) {
    return pods.stream()
        .filter(pod -> !isSurplus(set, pod))
        .filter(pod -> !pod.revision().equals(revision(set)))
        .sorted(Comparator.comparing(PodState::name, NaturalOrder.OF_NAMES))
        .toList();
  }

  /** What a pod lacks to be an up to date and ready pod of the set; empty when it is. */
  public static Optional<String> missing(StatefulSet set, PodState pod) {
    if (!pod.isReady()) {
      return Optional.of("pod %s: not ready: %s".formatted(pod.name(), pod.trouble()));
    }
    return pod.revision().equals(revision(set))
        ? Optional.empty()
        : Optional.of(
            "pod %s: has revision %s, not %s".formatted(pod.name(), pod.revision(), revision(set)));
  }

  /** What the set lacks to have all its pods up to date and ready; empty when it has. */
  public static Optional<String> missing(StatefulSet set, List<PodState> pods, long generation) {
    if (!hasSeen(set, generation)) {
      return unseen("StatefulSet", set, generation);
    }
    List<String> lacks = new ArrayList<>();
    pods.stream()
        .sorted(Comparator.comparing(PodState::name, NaturalOrder.OF_NAMES))
        .flatMap(pod -> missing(set, pod).stream())
        .forEach(lacks::add);
    if (lacks.isEmpty()) {
      var name = set.getMetadata().getName();
      var ready = requireNonNullElse(status(set).getReadyReplicas(), 0);
      if (pods.size() != wanted(set)) {
        lacks.add("StatefulSet %s: has %d of %d pods".formatted(name, pods.size(), wanted(set)));
      } else if (ready != wanted(set)) {
        lacks.add("StatefulSet %s: counts %d of %d ready".formatted(name, ready, wanted(set)));
      }
    }
    return first(lacks);
  }

  /** What keeps a StatefulSet that is deleted, for people. */
  public static String leaving(HasMetadata set) {
    var finalizers = String.join(", ", set.getMetadata().getFinalizers());
    return "StatefulSet %s: is being deleted%s"
        .formatted(
            set.getMetadata().getName(),
            finalizers.isEmpty() ? "" : ", held by finalizer " + finalizers);
  }

  /** What a StatefulSet lacks that has replaced another one, to have taken its pods over. */
  public static Optional<String> unowned(StatefulSet set, List<PodState> orphans, long generation) {
    if (!hasSeen(set, generation)) {
      return unseen("StatefulSet", set, generation);
    }
    var name = set.getMetadata().getName();
    return first(
        orphans.stream()
            .map(
                pod ->
                    "pod %s: StatefulSet %s has not taken it over yet".formatted(pod.name(), name))
            .toList());
  }

  /** What the Deployment lacks to be rolled out; empty when it is. */
  public static Optional<String> missing(Deployment deployment, long generation) {
    var status = requireNonNullElse(deployment.getStatus(), new DeploymentStatus());
    var observed = status.getObservedGeneration();
    if (deployment.getMetadata().getGeneration() < generation
        || observed == null
        || observed < deployment.getMetadata().getGeneration()) {
      return unseen("Deployment", deployment, generation);
    }
    int wanted = requireNonNullElse(deployment.getSpec().getReplicas(), 1);
    int updated = requireNonNullElse(status.getUpdatedReplicas(), 0);
    int available = requireNonNullElse(status.getAvailableReplicas(), 0);
    int all = requireNonNullElse(status.getReplicas(), 0);
    if (updated == wanted && available == wanted && all == wanted) {
      return Optional.empty();
    }
    return Optional.of(
        "Deployment %s: %d of %d pods updated, %d available, %d in all%s"
            .formatted(
                deployment.getMetadata().getName(),
                updated,
                wanted,
                available,
                all,
                stalled(status.getConditions())));
  }

  /** The first few, so that a message stays readable. */
  public static Optional<String> first(List<String> lacks) {
    if (lacks.isEmpty()) {
      return Optional.empty();
    }
    var more = lacks.size() - NAMED;
    var named = String.join("; ", lacks.stream().limit(NAMED).toList());
    return Optional.of(more > 0 ? named + "; and %d more".formatted(more) : named);
  }

  private static String stalled(List<DeploymentCondition> conditions) {
    return conditions.stream()
        .filter(c -> "ReplicaFailure".equals(c.getType()) || "Progressing".equals(c.getType()))
        .filter(c -> !"True".equals(c.getStatus()) || "ReplicaFailure".equals(c.getType()))
        .map(c -> ": " + c.getReason() + ": " + c.getMessage())
        .findFirst()
        .orElse("");
  }

  private static Optional<String> unseen(String kind, HasMetadata object, long generation) {
    return Optional.of(
        "%s %s: its controller has not seen generation %d yet"
            .formatted(kind, object.getMetadata().getName(), generation));
  }

  private static StatefulSetStatus status(StatefulSet set) {
    return requireNonNullElse(set.getStatus(), new StatefulSetStatus());
  }
}
