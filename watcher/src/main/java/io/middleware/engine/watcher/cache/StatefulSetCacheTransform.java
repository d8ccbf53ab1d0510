package io.middleware.engine.watcher.cache;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatusBuilder;
import java.util.List;
import java.util.Objects;

/**
 * Reduces a StatefulSet to its group, the numbers of its pods, the revision of its pod template,
 * and what others have written into that.
 */
public final class StatefulSetCacheTransform {
  private StatefulSetCacheTransform() {}

  public static void reduce(StatefulSet set) {
    ObservedObjects.reduceToNote(set);
    set.getMetadata().setCreationTimestamp(null);
    set.getMetadata().setFinalizers(List.of());
    set.setSpec(numbers(set.getSpec()));
    set.setStatus(revision(set));
  }

  /** Without one while the controller has not seen the newest template. */
  private static StatefulSetStatus revision(StatefulSet set) {
    return set.getStatus() != null
            && set.getStatus().getUpdateRevision() != null
            && Objects.equals(
                set.getStatus().getObservedGeneration(), set.getMetadata().getGeneration())
        ? new StatefulSetStatusBuilder()
            .withObservedGeneration(set.getStatus().getObservedGeneration())
            .withUpdateRevision(set.getStatus().getUpdateRevision())
            .build()
        : null;
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
        || !Objects.equals(now.getStatus(), before.getStatus())
        || !now.getMetadata().getAnnotations().equals(before.getMetadata().getAnnotations())
        || !now.getMetadata().getLabels().equals(before.getMetadata().getLabels())
        || now.isMarkedForDeletion() != before.isMarkedForDeletion()
        || !now.getMetadata().getUid().equals(before.getMetadata().getUid());
  }
}
