package io.middleware.engine.activities.pods;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.PodState;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pods that could not come back once they were evicted: their node is cordoned, and one of their
 * volumes can be used on no other node. Without the right to read nodes and volumes none is known.
 */
final class StrandedPods {
  private static final Logger LOG = LoggerFactory.getLogger(StrandedPods.class);

  /** An autoscaler that is about to remove a node says so before it cordons it, or instead. */
  private static final Set<String> REMOVED_SOON =
      Set.of("ToBeDeletedByClusterAutoscaler", "karpenter.sh/disrupted");

  private final KubernetesClient engine;

  /**
   * @param engine client with the engine's own rights
   */
  StrandedPods(KubernetesClient engine) {
    this.engine = engine;
  }

  /** For people: why the pod must not be evicted now; empty when nothing is known against it. */
  Optional<String> why(PodState pod) {
    var spec = pod.pod().getSpec();
    var claims = claims(pod);
    if (spec == null || spec.getNodeName() == null || claims.isEmpty()) {
      return Optional.empty();
    }
    var namespace = pod.pod().getMetadata().getNamespace();
    return read(() -> engine.nodes().withName(spec.getNodeName()).get())
        .filter(StrandedPods::isClosed)
        .flatMap(
            node ->
                claims.stream()
                    .filter(claim -> isStuck(namespace, claim))
                    .findFirst()
                    .map(claim -> message(spec.getNodeName(), claim)));
  }

  private static String message(String node, String claim) {
    return ("node %s is cordoned, and volume claim %s can be used on no other node, so the pod could not come back;"
            + " uncordon the node, or move the replica by an Operation Rebuild")
        .formatted(node, claim);
  }

  private static List<String> claims(PodState pod) {
    return Stream.ofNullable(pod.pod().getSpec())
        .flatMap(spec -> spec.getVolumes().stream())
        .flatMap(volume -> Stream.ofNullable(volume.getPersistentVolumeClaim()))
        .map(source -> source.getClaimName())
        .toList();
  }

  private boolean isStuck(String namespace, String claim) {
    var terms = volumeOf(namespace, claim).map(this::terms).orElse(List.of());
    return !terms.isEmpty()
        && read(() -> engine.nodes().list())
            .filter(
                all ->
                    all.getItems().stream()
                        .filter(node -> !isClosed(node))
                        .noneMatch(node -> terms.stream().anyMatch(term -> fits(term, node))))
            .isPresent();
  }

  private Optional<String> volumeOf(String namespace, String claim) {
    return Faults.list(
            "volume claim " + claim,
            engine
                .resources(PersistentVolumeClaim.class)
                .inNamespace(namespace)
                .withField("metadata.name", claim))
        .stream()
        .findFirst()
        .map(found -> found.getSpec().getVolumeName());
  }

  private List<NodeSelectorTerm> terms(String volume) {
    return read(() -> engine.persistentVolumes().withName(volume).get())
        .map(found -> found.getSpec().getNodeAffinity())
        .map(affinity -> affinity.getRequired())
        .map(required -> required.getNodeSelectorTerms())
        .orElse(List.of());
  }

  private static boolean isClosed(Node node) {
    var spec = node.getSpec();
    return spec != null
        && (Boolean.TRUE.equals(spec.getUnschedulable())
            || spec.getTaints().stream().anyMatch(taint -> REMOVED_SOON.contains(taint.getKey())));
  }

  private static boolean fits(NodeSelectorTerm term, Node node) {
    var meta = node.getMetadata();
    var labels = Objects.requireNonNullElse(meta.getLabels(), Map.<String, String>of());
    return term.getMatchExpressions().stream()
            .allMatch(it -> fits(it, Optional.ofNullable(labels.get(it.getKey()))))
        && term.getMatchFields().stream()
            .allMatch(it -> fits(it, Optional.of(meta).map(ObjectMeta::getName)));
  }

  /** Operators that no volume uses are taken to fit, so that no pod waits for them. */
  private static boolean fits(NodeSelectorRequirement requirement, Optional<String> value) {
    var values = requirement.getValues();
    return switch (requirement.getOperator()) {
      case "In" -> value.filter(values::contains).isPresent();
      case "NotIn" -> value.filter(values::contains).isEmpty();
      case "Exists" -> value.isPresent();
      case "DoesNotExist" -> value.isEmpty();
      default -> true;
    };
  }

  private static <T> Optional<T> read(Supplier<T> object) {
    try {
      return Optional.ofNullable(object.get());
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        LOG.atDebug().setCause(e).log("it is not known whether evicted pods could come back");
        return Optional.empty();
      }
      throw Faults.of("read where an evicted pod could come back", e);
    }
  }
}
