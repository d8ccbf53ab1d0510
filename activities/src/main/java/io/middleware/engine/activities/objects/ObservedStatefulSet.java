package io.middleware.engine.activities.objects;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A StatefulSet of a group and the pods that it controls, as observed at one moment. */
public record ObservedStatefulSet(StatefulSet set, List<PodState> pods) {

  /** Those of the task's component, as the view has them. */
  public static List<ObservedStatefulSet> in(ClusterView view, TaskRef task) {
    var key = AppKey.of(task.change());
    return view.statefulSets(key, task.component()).stream()
        .map(set -> new ObservedStatefulSet(set, view.podsOf(key, set)))
        .toList();
  }

  public String group() {
    return set.getMetadata().getLabels().get(Labels.GROUP);
  }

  /** For people: the pods that had a revision of their own before, and have lost it since. */
  Stream<String> lost(Undo.Workload before) {
    var now = pods.stream().collect(toMap(PodState::name, identity()));
    return before.pods().entrySet().stream()
        .filter(
            pod ->
                Optional.ofNullable(now.get(pod.getKey()))
                    .filter(it -> !it.isTerminating() && it.revision().equals(pod.getValue()))
                    .isEmpty())
        .map(pod -> "pod %s was at revision %s".formatted(pod.getKey(), pod.getValue()));
  }
}
