package io.middleware.engine.watcher.health;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.process.pods.PodNames;
import io.middleware.engine.process.pods.PodReports;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The pods that a group should have.
 *
 * @param names of the pods of its StatefulSet; empty for pods without names of their own, those of
 *     a Deployment, and while no StatefulSet is observed
 * @param refused why a pod of this name cannot be created; empty when that is not known
 * @param lost the StatefulSet that somebody has deleted; empty when none is missing
 */
record DesiredPods(
    int count,
    List<String> names,
    Function<String, Optional<String>> refused,
    Optional<String> lost) {
  DesiredPods {
    names = List.copyOf(names);
  }

  /** Pods that have no names of their own. */
  static DesiredPods unnamed(int count) {
    return new DesiredPods(count, List.of(), name -> Optional.empty(), Optional.empty());
  }

  /** Pods of a StatefulSet that is gone: nobody creates them again. */
  static DesiredPods lost(int count, String set) {
    return new DesiredPods(count, List.of(), name -> Optional.empty(), Optional.of(set));
  }

  /**
   * @param sets of the group; it has one at most
   */
  static DesiredPods of(int count, List<StatefulSet> sets, PodReports reports) {
    if (sets.size() != 1) {
      return unnamed(count);
    }
    var set = sets.getFirst();
    return new DesiredPods(
        count, names(set, count), name -> reports.refusedCreation(set, name), Optional.empty());
  }

  private static List<String> names(StatefulSet set, int count) {
    var ordinals = set.getSpec().getOrdinals();
    var first = ordinals == null || ordinals.getStart() == null ? 0 : ordinals.getStart();
    return PodNames.of(set.getMetadata().getName(), first, count);
  }

  /** Whether pods of the group are known by name. */
  boolean areNamed() {
    return !names.isEmpty();
  }

  /** What is missing; why, is asked for the first of them, which is the next to be created. */
  Stream<String> missing(Set<String> existing) {
    var absent = names.stream().filter(name -> !existing.contains(name)).toList();
    return Stream.of(
            lost.stream()
                .map("StatefulSet %s missing: an Operation Reapply creates it again"::formatted),
            absent.stream()
                .limit(1)
                .map(name -> "%s %s".formatted(name, refused.apply(name).orElse("missing"))),
            absent.stream().skip(1).map("%s missing"::formatted))
        .flatMap(missing -> missing);
  }
}
