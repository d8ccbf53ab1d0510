package io.middleware.engine.activities.checks;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.pods.PodRoles;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentQueries;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads the pods of a group or component past the caches, and asks their agents for their roles.
 */
final class CheckedPods {
  private final KubernetesClient client;
  private final ClusterView view;
  private final AgentQueries agents;
  private final CheckTarget target;

  /**
   * @param client with the engine's own rights
   * @param view of the workloads, which the task has just written
   */
  CheckedPods(KubernetesClient client, ClusterView view, AgentQueries agents, CheckTarget target) {
    this.client = client;
    this.view = view;
    this.agents = agents;
    this.target = target;
  }

  /**
   * @param roles whether to ask for them; otherwise no role is known
   * @throws io.temporal.failure.ApplicationFailure when the API server does not answer
   */
  List<CheckedPod> now(boolean roles) throws InterruptedException {
    var pods = listed();
    var asked = pods.stream().filter(pod -> roles && hasAgent(pod) && pod.isReady()).toList();
    var known = PodRoles.of(agents, target.agents(), asked).byPod();
    return pods.stream().map(pod -> new CheckedPod(pod, role(pod, known), hasAgent(pod))).toList();
  }

  /** A pod without an agent has no role; a silent agent is something else. */
  private Optional<String> role(PodState pod, Map<PodState, String> known) {
    return hasAgent(pod)
        ? Optional.ofNullable(known.get(pod)).filter(role -> !role.isEmpty())
        : Optional.of("");
  }

  private boolean hasAgent(PodState pod) {
    return target.agents().exists() && isOfStatefulSet(pod);
  }

  private List<PodState> listed() {
    var labels = new TreeMap<String, String>();
    labels.put(Labels.APP, target.task().change().app());
    labels.put(Labels.COMPONENT, target.task().component());
    target.group().ifPresent(group -> labels.put(Labels.GROUP, group));
    return Faults.attempt(
            "list the pods of component " + target.task().component(),
            () ->
                client
                    .pods()
                    .inNamespace(target.task().change().namespace())
                    .withLabels(labels)
                    .list()
                    .getItems())
        .stream()
        .map(PodState::new)
        .filter(pod -> isOfStatefulSet(pod) || isOfDeployment(pod))
        .sorted(comparing(PodState::name, NaturalOrder.OF_NAMES))
        .toList();
  }

  /** Labels alone do not make a pod part of a group. */
  private boolean isOfStatefulSet(PodState pod) {
    return view.statefulSets(key(), target.task().component()).stream()
        .anyMatch(pod::isControlledBy);
  }

  /** A Deployment has its pods while others end, or lie around as failed. */
  private boolean isOfDeployment(PodState pod) {
    return !pod.isTerminating()
        && !hasEnded(pod)
        && pod.controller()
            .filter(owner -> "ReplicaSet".equals(owner.getKind()))
            .filter(owner -> deployments().anyMatch(it -> owner.getName().startsWith(it + "-")))
            .isPresent();
  }

  private static boolean hasEnded(PodState pod) {
    return Optional.ofNullable(pod.pod().getStatus())
        .map(PodStatus::getPhase)
        .filter(phase -> "Failed".equals(phase) || "Succeeded".equals(phase))
        .isPresent();
  }

  private Stream<String> deployments() {
    return view.deployments(key()).stream()
        .filter(it -> ClusterView.carries(it, Map.of(Labels.COMPONENT, target.task().component())))
        .map(CheckedPods::name);
  }

  private static String name(HasMetadata object) {
    return object.getMetadata().getName();
  }

  private AppKey key() {
    return AppKey.of(target.task().change());
  }
}
