package io.middleware.engine.activities.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A pod with a volume on the first of two nodes of one zone. */
@ExtendWith(ApiServer.class)
class StrandedPodsIT {
  private final LocalNamespace cluster;
  private Node one;
  private Node two;

  StrandedPodsIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void start() {
    one = node("one");
    two = node("two");
    cluster.create(
        PersistentVolumeClaim.class,
        """
        metadata: {name: data-db-0}
        spec:
          accessModes: [ReadWriteOnce]
          resources: {requests: {storage: 1Gi}}
          volumeName: %s-volume
        """
            .formatted(cluster.namespace()));
  }

  @AfterEach
  void stop() {
    cluster.client().resource(one).delete();
    cluster.client().resource(two).delete();
    cluster.client().persistentVolumes().withName(cluster.namespace() + "-volume").delete();
  }

  @Test
  void shouldNotComeBackFromACordonedNodeThatItsVolumeIsBoundTo() {
    // Given
    volume("kubernetes.io/hostname", one.getMetadata().getName());
    assertThat(why()).isEmpty();
    // When
    cordon(one);
    // Then
    assertThat(why().orElseThrow())
        .isEqualTo(
            "node %s is cordoned, and volume claim data-db-0 can be used on no other node, so the pod could not come back; uncordon the node, or move the replica by an Operation Rebuild"
                .formatted(one.getMetadata().getName()));
  }

  @Test
  void shouldComeBackOnAnotherNodeOfTheZone() {
    // Given
    volume("zone", cluster.namespace());
    cordon(one);
    // When Then
    assertThat(why()).isEmpty();
    // and when that one is about to be removed as well
    taint(two);
    assertThat(why()).isPresent();
  }

  @Test
  void shouldNotDependOnTheNodeOfAVolumeThatCanMove() {
    volume(null, null);
    cordon(one);
    assertThat(why()).isEmpty();
  }

  @Test
  void shouldBeRefusedBeforeTheDataOfAPodAreMadeDurable() {
    // Given
    volume("kubernetes.io/hostname", one.getMetadata().getName());
    cordon(one);
    var evictor = new PodEvictor(cluster.client(), null);
    // When
    var answer = evictor.askToReplace(new App(), 1, pod());
    // Then
    assertThat(answer).isInstanceOf(PodEvictor.RemovalAnswer.RemovalRefused.class);
  }

  private Optional<String> why() {
    return new StrandedPods(cluster.client()).why(pod());
  }

  private PodState pod() {
    var pod =
        cluster
            .client()
            .getKubernetesSerialization()
            .unmarshal(
                """
                metadata: {name: db-0, namespace: %s}
                spec:
                  nodeName: %s
                  volumes: [{name: data, persistentVolumeClaim: {claimName: data-db-0}}]
                status: {conditions: [{type: Ready, status: "True"}]}
                """
                    .formatted(cluster.namespace(), one.getMetadata().getName()),
                Pod.class);
    return new PodState(pod);
  }

  private Node node(String name) {
    var full = cluster.namespace() + "-" + name;
    return cluster
        .client()
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName(full)
                .addToLabels("kubernetes.io/hostname", full)
                .addToLabels("zone", cluster.namespace())
                .endMetadata()
                .build())
        .create();
  }

  private void cordon(Node node) {
    patch(node, "{\"spec\": {\"unschedulable\": true}}");
  }

  private void taint(Node node) {
    patch(
        node,
        "{\"spec\": {\"taints\": [{\"key\": \"karpenter.sh/disrupted\", \"effect\": \"NoSchedule\"}]}}");
  }

  private void patch(Node node, String patch) {
    cluster.client().resource(node).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  private void volume(String key, String value) {
    var affinity =
        key == null
            ? ""
            : "  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: %s, operator: In, values: [%s]}]}]}}"
                .formatted(key, value);
    cluster
        .client()
        .resource(
            cluster
                .client()
                .getKubernetesSerialization()
                .unmarshal(
                    """
                    metadata: {name: %s-volume}
                    spec:
                      capacity: {storage: 1Gi}
                      accessModes: [ReadWriteOnce]
                      csi: {driver: test.middleware.io, volumeHandle: v}
                    %s
                    """
                        .formatted(cluster.namespace(), affinity),
                    PersistentVolume.class))
        .create();
  }
}
