package io.middleware.engine.activities.rollout;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.AppliedSet;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.VolumeState;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What a task waits for. Of several reasons it reports the one closest to the cause:
 *
 * <ol>
 *   <li>volumes that the task must grow;
 *   <li>pods that cannot be created, and pods that are broken;
 *   <li>an agent's action or answer, or the refusal of a disruption budget, that takes long;
 *   <li>pods that are out of date or missing.
 * </ol>
 */
final class TaskBlocker {
  private final ClusterView view;
  private final CreationRefusals refusals;
  private final TaskRef task;
  private final AppKey key;
  private final Map<String, String> component;

  TaskBlocker(ClusterView view, CreationRefusals refusals, TaskRef task) {
    this.view = view;
    this.refusals = refusals;
    this.task = task;
    this.key = AppKey.of(task.change());
    this.component = Map.of(Labels.COMPONENT, task.component());
  }

  /** The reason for people; empty when nothing is missing. */
  Optional<String> message() {
    return Stream.<Supplier<List<String>>>of(
            this::volumes, this::broken, () -> progress().stream().toList(), this::outdated)
        .map(Supplier::get)
        .filter(reasons -> !reasons.isEmpty())
        .findFirst()
        .flatMap(Rollout::firstFew);
  }

  private List<String> volumes() {
    if (task.type() != ChangeType.STORAGE) {
      return List.of();
    }
    var volumes =
        view.volumes(key).stream()
            .filter(volume -> ClusterView.carries(volume.claim(), component))
            .filter(volume -> !volume.isTerminating())
            .sorted(comparing(VolumeState::name, NaturalOrder.OF_NAMES))
            .flatMap(volume -> volume.missing(volume.requested(), view.pods(key)).stream());
    var sets =
        view.statefulSets(key, task.component()).stream()
            .filter(HasMetadata::isMarkedForDeletion)
            .map(AppliedSet::beingDeleted);
    return Stream.concat(volumes, sets).toList();
  }

  private List<String> broken() {
    var broken =
        pods()
            .filter(pod -> !pod.isReady())
            .sorted(comparing(PodState::name, NaturalOrder.OF_NAMES))
            .map(pod -> "pod %s: %s".formatted(pod.name(), pod.trouble()));
    return Stream.concat(refused(), broken).toList();
  }

  private Stream<String> refused() {
    var ofSets =
        view.statefulSets(key, task.component()).stream()
            .flatMap(
                set ->
                    Stream.concat(
                        Rollout.occupied(set, view.pods(key)).stream(),
                        Rollout.due(set, view.podsOf(key, set))
                            .flatMap(pod -> refusals.of(set, pod))
                            .stream()));
    var ofDeployments =
        view.deployments(key).stream()
            .filter(deployment -> ClusterView.carries(deployment, component))
            .flatMap(deployment -> Rollout.refused(deployment).stream());
    return Stream.concat(ofSets, ofDeployments);
  }

  /** The progress in the App's status, if it concerns one of the component's pods. */
  private Optional<String> progress() {
    return view.app(key)
        .filter(app -> !task.change().shared())
        .map(App::getStatus)
        .map(AppStatus::progress)
        .filter(text -> concernsGroup(text) || pods().anyMatch(pod -> concerns(pod, text)))
        .map(text -> text.replaceFirst("^waiting for ", ""));
  }

  /** An action in the pod, or what is expected of its agent and does not come. */
  private static boolean concerns(PodState pod, String progress) {
    return progress.startsWith("pod " + pod.name() + ":")
        || progress.startsWith("waiting for ")
            && progress.contains("the agent of pod " + pod.name() + " ");
  }

  /** No pod of a group fits, or a check of a group or of the component does not hold yet. */
  private boolean concernsGroup(String progress) {
    var component = "component %s: ".formatted(task.component());
    return progress.startsWith(component)
        || progress.startsWith("group ") && progress.contains(" of " + component);
  }

  private List<String> outdated() {
    var sets =
        view.statefulSets(key).stream()
            .filter(set -> ClusterView.carries(set, component))
            .flatMap(set -> view.missing(key, set, 0).stream());
    var deployments =
        view.deployments(key).stream()
            .filter(deployment -> ClusterView.carries(deployment, component))
            .flatMap(deployment -> Rollout.missing(deployment, 0).stream());
    return Stream.concat(sets, deployments).toList();
  }

  private Stream<PodState> pods() {
    return view.pods(key).stream()
        .filter(pod -> ClusterView.carries(pod.pod(), component))
        .filter(pod -> pod.controller().isPresent() || pod.isOrphan());
  }
}
