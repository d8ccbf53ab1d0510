package io.middleware.engine.render.guard;

import java.util.Comparator;
import java.util.List;

/**
 * The objects of one group in the order in which they are applied: dependencies first, workloads
 * last; objects of one rank keep the order of their templates.
 */
public record RenderedObjects(List<RenderedObject> inOrder) {
  private static final List<String> FIRST =
      List.of(
          "ServiceAccount",
          "ConfigMap",
          "Secret",
          "Service",
          "PodDisruptionBudget",
          "NetworkPolicy",
          "PersistentVolumeClaim");
  private static final List<String> LAST = List.of("Deployment", "StatefulSet", "Job", "CronJob");

  public RenderedObjects {
    inOrder =
        inOrder.stream()
            .sorted(Comparator.comparingInt(object -> rank(object.kind().kind())))
            .toList();
  }

  /** Whether one of them is of this kind. */
  public boolean have(String kind) {
    return inOrder.stream().anyMatch(object -> object.kind().kind().equals(kind));
  }

  private static int rank(String kind) {
    if (LAST.contains(kind)) {
      return FIRST.size() + 1;
    }
    var rank = FIRST.indexOf(kind);
    return rank < 0 ? FIRST.size() : rank;
  }
}
