package io.middleware.engine.watcher.cache;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpecBuilder;
import java.util.List;

/** Reduces a StatefulSet to its group and the numbers of its pods. */
public final class StatefulSetCacheTransform {
  private StatefulSetCacheTransform() {}

  public static void reduce(StatefulSet set) {
    ObjectMetaCacheTransform.reduce(set);
    set.getMetadata().setCreationTimestamp(null);
    set.getMetadata().setFinalizers(List.of());
    set.setSpec(numbers(set.getSpec()));
    set.setStatus(null);
  }

  private static StatefulSetSpec numbers(StatefulSetSpec spec) {
    return new StatefulSetSpecBuilder()
        .withReplicas(spec.getReplicas())
        .withOrdinals(spec.getOrdinals())
        .build();
  }

  /** Whether an update changes anything that the watcher reads. */
  public static boolean differs(StatefulSet now, StatefulSet before) {
    return !now.getSpec().equals(before.getSpec())
        || !now.getMetadata().getLabels().equals(before.getMetadata().getLabels())
        || now.isMarkedForDeletion() != before.isMarkedForDeletion()
        || !now.getMetadata().getUid().equals(before.getMetadata().getUid());
  }
}
