package io.middleware.engine.e2e;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Optional;

/** What can block a change in one namespace. */
public final class Obstacles {
  private final Shop shop;
  private boolean planning;
  private boolean owned;
  private boolean pods;
  private boolean rights;

  public Obstacles(Shop shop) {
    this.shop = shop;
  }

  /** An admission webhook that nobody serves is called for each StatefulSet of a dry run. */
  public void holdPlanning() {
    planning = true;
    shop.apply(
        new Yaml(
            """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: %s}
        webhooks:
        - name: nobody.example.com
          admissionReviewVersions: [v1]
          sideEffects: None
          failurePolicy: Fail
          clientConfig: {url: "https://127.0.0.1:1/"}
          namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
          matchConditions: [{name: rehearsed, expression: "request.dryRun"}]
          rules:
          - {apiGroups: [apps], apiVersions: [v1], operations: ["*"], resources: [statefulsets]}
        """
                .formatted(shop.namespace, shop.namespace)));
  }

  /** Another field manager owns the image. */
  public void own(String workload) {
    owned = true;
    applyAsSomebody(
        workload,
        "spec: {template: {spec: {containers: [{name: sentinel, image: \"docker.io/library/redis:7.0\"}]}}}");
  }

  private void applyAsSomebody(String workload, String spec) {
    var yaml =
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: %s, namespace: %s}
        %s
        """
            .formatted(workload, shop.namespace, spec);
    shop.kubectl(
        yaml, "apply", "--server-side", "--force-conflicts", "--field-manager=somebody", "-f", "-");
  }

  public void allowNoPods() {
    pods = true;
    shop.kubectl("", "create", "quota", "none", "--hard=pods=0", "-n", shop.namespace);
  }

  /** Takes all rights from the App's account. */
  public void takeRights() {
    rights = true;
    shop.kubectl("", "delete", "rolebinding", "middleware-deployer", "-n", shop.namespace);
  }

  /** Whether the workload is on the new version and has no fault in it. */
  public boolean isFixed(String workload) {
    return find(workload)
        .map(set -> set.getSpec().getTemplate())
        .filter(pod -> pod.getSpec().getContainers().getFirst().getImage().endsWith(":7.2"))
        .map(pod -> pod.getMetadata())
        .map(ObjectMeta::getAnnotations)
        .filter(annotations -> !annotations.containsKey("local.middleware.io/fault"))
        .isPresent();
  }

  private Optional<StatefulSet> find(String workload) {
    return Optional.ofNullable(
        shop.client.apps().statefulSets().inNamespace(shop.namespace).withName(workload).get());
  }

  /** Removes all obstacles. */
  public void remove(String workload) {
    if (planning) {
      shop.kubectl("", "delete", "validatingwebhookconfiguration", shop.namespace);
    }
    if (owned && find(workload).isPresent()) {
      applyAsSomebody(workload, "");
    }
    if (pods) {
      shop.kubectl("", "delete", "quota", "none", "-n", shop.namespace);
    }
    if (rights) {
      shop.grantRights();
    }
    planning = false;
    owned = false;
    pods = false;
    rights = false;
  }
}
