package io.middleware.engine.e2e.health;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Writes what a kubelet would of one pod, which the simulated one leaves alone meanwhile. */
final class PlayedKubelet {
  private static final String LEAVE_ALONE = "local.middleware.io/fault";

  private final Shop shop;
  private final String pod;

  PlayedKubelet(Shop shop, String pod) {
    this.shop = shop;
    this.pod = pod;
  }

  /** The pod turns not ready: its first container waits, for this reason. */
  void waits(String reason, String message) {
    status("Pending", "{waiting: {reason: %s, message: '%s'}}".formatted(reason, message), "{}");
  }

  /** The pod turns not ready: its first container has ended, and waits for its next start. */
  void crashed(String reason, String lastWords) {
    var waiting = "{waiting: {reason: CrashLoopBackOff, message: back-off 10s restarting}}";
    var end = "{terminated: {exitCode: 1, reason: %s, message: '%s'}}";
    status("Running", waiting, end.formatted(reason, lastWords));
  }

  /** The pod turns not ready, and runs. */
  void unready() {
    status("Running", "{running: {}}", "{}");
  }

  private void status(String phase, String state, String last) {
    shop.annotatePods(LEAVE_ALONE + "=never-ready", pod);
    var container = now().getSpec().getContainers().getFirst();
    shop.kubectl(
        """
        status:
          phase: %s
          conditions:
          - {type: PodScheduled, status: "True"}
          - {type: Ready, status: "False", reason: ContainersNotReady}
          containerStatuses:
          - {name: %s, image: "%s", imageID: "", ready: false, restartCount: 0, state: %s, lastState: %s}
        """
            .formatted(phase, container.getName(), container.getImage(), state, last),
        "patch",
        "pod",
        pod,
        "-n",
        shop.namespace,
        "--subresource=status",
        "--type=merge",
        "--patch-file",
        "-");
  }

  void warns(String reason, String message) {
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    shop.client
        .resource(
            new EventBuilder()
                .withNewMetadata()
                .withGenerateName(pod + "-")
                .withNamespace(shop.namespace)
                .endMetadata()
                .withType("Warning")
                .withReason(reason)
                .withMessage(message)
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .withNewInvolvedObject()
                .withApiVersion("v1")
                .withKind("Pod")
                .withNamespace(shop.namespace)
                .withName(pod)
                .withUid(now().getMetadata().getUid())
                .endInvolvedObject()
                .build())
        .create();
  }

  /** Its node does it again. */
  void leaves() {
    shop.annotatePods(LEAVE_ALONE + "-", pod);
  }

  /** Deletes the pod; its StatefulSet creates it again, where it may. */
  void deletes() {
    resource().withGracePeriod(0).delete();
  }

  String node() {
    return now().getSpec().getNodeName();
  }

  static List<String> nodes() {
    return Engine.run(List.of("kubectl", "get", "nodes", "-o", "name"))
        .lines()
        .map(name -> name.substring("node/".length()))
        .toList();
  }

  private Pod now() {
    return resource().require();
  }

  private PodResource resource() {
    return shop.client.pods().inNamespace(shop.namespace).withName(pod);
  }
}
