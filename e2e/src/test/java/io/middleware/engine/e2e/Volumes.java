package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.api.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The volumes of the App {@code cache}, and the StatefulSets that request them. */
public record Volumes(Shop shop) {
  public static final String AFTER = "local.middleware.io/resize-after";

  /** The App with volumes twice as large. */
  public static Yaml grown(Yaml app) {
    return app.replace("size: 1Gi", "size: 2Gi");
  }

  /** Steers how the simulated driver grows a volume. */
  public void annotate(String claim, String annotation, String value) {
    var words = annotation + "=" + value;
    shop.kubectl("", "annotate", "pvc", claim, "-n", shop.namespace, words);
  }

  public List<PersistentVolumeClaim> claims() {
    return shop.client
        .persistentVolumeClaims()
        .inNamespace(shop.namespace)
        .withLabel(Labels.APP, "cache")
        .list()
        .getItems();
  }

  /** By name, what each volume claim requests and has. */
  public Map<String, String> sizes() {
    return claims().stream()
        .collect(
            Collectors.toMap(
                claim -> claim.getMetadata().getName(),
                claim ->
                    "%s of %s"
                        .formatted(
                            claim.getStatus().getCapacity().get("storage"),
                            claim.getSpec().getResources().getRequests().get("storage"))));
  }

  /** Waits until this volume claim requests this size. */
  public void awaitRequest(String claim, String size) {
    await(claim + " requests " + size)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> sizes().getOrDefault(claim, "").endsWith(" of " + size));
  }

  public List<StatefulSet> sets() {
    return shop.client
        .apps()
        .statefulSets()
        .inNamespace(shop.namespace)
        .withLabel(Labels.COMPONENT, "redis-nodes")
        .list()
        .getItems();
  }

  /** By name. */
  public Map<String, String> podUids() {
    return shop.pods("cache").stream()
        .map(HasMetadata::getMetadata)
        .collect(Collectors.toMap(pod -> pod.getName(), pod -> pod.getUid()));
  }

  /** All volume claims have this size, and their StatefulSets, which own the pods, request it. */
  public void areAll(String size, int count) {
    assertThat(sizes())
        .hasSize(count)
        .allSatisfy((name, is) -> assertThat(is).isEqualTo(size + " of " + size));
    assertThat(sets())
        .isNotEmpty()
        .allSatisfy(
            set -> {
              assertThat(template(set)).isEqualTo(new Quantity(size));
              assertThat(podsOf(set)).hasSize(set.getSpec().getReplicas());
            });
  }

  /** Each of the six was asked once to grow, and each of the two StatefulSets replaced once. */
  public void grewOnce(AuditLog growth) {
    assertThat(growth.names(shop.namespace, "persistentvolumeclaims", "patch"))
        .hasSize(6)
        .doesNotHaveDuplicates();
    assertThat(growth.names(shop.namespace, "statefulsets", "delete"))
        .hasSize(2)
        .doesNotHaveDuplicates();
  }

  public static Quantity template(StatefulSet set) {
    return set.getSpec()
        .getVolumeClaimTemplates()
        .getFirst()
        .getSpec()
        .getResources()
        .getRequests()
        .get("storage");
  }

  /** Those that it owns and that are of its newest revision. */
  private List<String> podsOf(StatefulSet set) {
    return shop.pods("cache").stream()
        .map(HasMetadata::getMetadata)
        .filter(pod -> pod.getName().startsWith(set.getMetadata().getName() + "-"))
        .filter(
            pod ->
                pod.getOwnerReferences().stream()
                    .anyMatch(owner -> owner.getUid().equals(set.getMetadata().getUid())))
        .filter(
            pod ->
                set.getStatus()
                    .getUpdateRevision()
                    .equals(pod.getLabels().get("controller-revision-hash")))
        .map(ObjectMeta::getName)
        .toList();
  }
}
