package io.middleware.engine.e2e.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Stopwatch;
import io.middleware.engine.e2e.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The App names the pod and the cause where people look first. Prints how long that takes: from
 * what the test does to the first words of the condition {@code Ready}.
 */
@EndToEnd
@Disruptive("cordons nodes")
@InTurn(2)
class CausesE2E {
  /** Longer lines are cut where people look first: columns of kubectl, lists of alerts. */
  private static final int LOOKED_AT = 120;

  private static final String APP = "cache";
  private static final String GROUP = "cache-redis-nodes-main";
  private static final String POD = GROUP + "-1";

  private final Shop shop;
  private final PlayedKubelet kubelet;
  private final PlayedKubelet other;
  private final List<String> times = new ArrayList<>();

  CausesE2E(Shop shop) {
    this.shop = shop;
    this.kubelet = new PlayedKubelet(shop, POD);
    this.other = new PlayedKubelet(shop, GROUP + "-0");
  }

  /** A step that brings a cause about, or ends it. */
  private interface Step {
    void run() throws Exception;
  }

  @BeforeEach
  void deploy() {
    shop.apply(app(APP, "local"));
    shop.awaitReady(APP);
  }

  @AfterEach
  void print() {
    times.forEach(System.out::println);
  }

  @Test
  void shouldNameWhatTheKubeletSays() throws Exception {
    byKubelet(
        "image", "image docker.io/library/redis:7.0", () -> kubelet.waits("ImagePullBackOff", ""));
    byKubelet(
        "pull secret",
        "image pull secrets",
        () -> {
          kubelet.warns(
              "FailedToRetrieveImagePullSecret",
              "Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.");
          kubelet.waits("ImagePullBackOff", "denied");
        });
    byKubelet(
        "mount",
        "FailedMount",
        () -> {
          kubelet.waits("ContainerCreating", "");
          kubelet.warns(
              "FailedMount",
              "MountVolume.SetUp failed for volume \"creds\" : secret \"creds\" not found");
        });
    byKubelet(
        "attach",
        "Multi-Attach",
        () -> {
          kubelet.waits("ContainerCreating", "");
          kubelet.warns("FailedAttachVolume", "Multi-Attach error for volume \"pvc-1\"");
        });
    byKubelet("out of memory", "OOMKilled", () -> kubelet.crashed("OOMKilled", ""));
    byKubelet(
        "crash", "Fatal error: bad", () -> kubelet.crashed("Error", "Fatal error: bad directive"));
    byKubelet(
        "probe",
        "Readiness probe failed",
        () -> {
          kubelet.unready();
          kubelet.warns("Unhealthy", "Readiness probe failed: EOF");
        });
  }

  /** A volume that cannot be attached is told of after minutes. */
  @Test
  void shouldNameWhatIsSaidLate() throws Exception {
    kubelet.waits("ContainerCreating", "");
    Stopwatch.secondsUntil("not ready", () -> message(APP).contains("ContainerCreating"));
    Thread.sleep(Integer.getInteger("late", 35) * 1000L);
    measure(
        "attach, said after 35 s",
        "Multi-Attach",
        () -> kubelet.warns("FailedAttachVolume", "Multi-Attach error for volume \"pvc-1\""),
        kubelet::leaves);
  }

  @Test
  void shouldNameWhatTheApiServerRefuses() throws Exception {
    refused("quota", "exceeded quota: full", manifest("ResourceQuota", "hard: {pods: 0}"));
    refused(
        "LimitRange",
        "maximum memory usage",
        manifest("LimitRange", "limits: [{type: Container, max: {memory: 64Mi}}]"));
    refused("webhook", "webhook \"nobody.example.com\"", webhook());
  }

  @Test
  void shouldNameWhyThereIsNoNode() throws Exception {
    var nodes = PlayedKubelet.nodes();
    measure(
        "cordoned node",
        "unschedulable",
        () -> {
          kubectl("cordon", nodes);
          kubelet.deletes();
        },
        () -> kubectl("uncordon", nodes));
    measure(
        "taint",
        "untolerated taint",
        () -> {
          kubectl("taint nodes", nodes, "example.com/full=:NoSchedule");
          kubelet.deletes();
        },
        () -> kubectl("taint nodes", nodes, "example.com/full-"));
    var others = nodes.stream().filter(node -> !node.equals(other.node())).toList();
    measure(
        "affinity",
        "pod anti-affi",
        () -> {
          kubectl("cordon", others);
          kubelet.deletes();
        },
        () -> kubectl("uncordon", others));
  }

  /** Of an App of its own: a controller says only some 25 things of an object in a row. */
  @Test
  void shouldNameThePolicyThatRefuses() throws Exception {
    measure(
        "policy",
        "PodSecurity \"restricted",
        () -> {
          label("namespace", shop.namespace, "pod-security.kubernetes.io/enforce=restricted");
          kubelet.deletes();
        },
        () -> label("namespace", shop.namespace, "pod-security.kubernetes.io/enforce-"));
  }

  @Test
  void shouldNameWhatIsMissing() throws Exception {
    shop.apply(app("lost", "nowhere"));
    shown("no StorageClass", "lost", "ProvisioningFailed: storageclass");
    shop.kubectl("", "delete", "statefulset", GROUP, "-n", shop.namespace);
    shown("StatefulSet deleted", APP, "StatefulSet " + GROUP + " missing");
  }

  private void byKubelet(String cause, String words, Step step) throws Exception {
    measure(cause, words, step, kubelet::leaves);
  }

  private void refused(String cause, String words, Yaml obstacle) throws Exception {
    measure(
        cause,
        words,
        () -> {
          shop.apply(obstacle);
          kubelet.deletes();
        },
        () -> shop.kubectl(obstacle.text(), "delete", "-f", "-"));
  }

  /** From the end of this step until the words are there. */
  private void measure(String cause, String words, Step begin, Step end) throws Exception {
    try {
      begin.run();
      shown(cause, APP, words);
      assertThat(message(APP)).contains(" pods ready: " + POD + " ");
    } finally {
      end.run();
    }
    shop.awaitReady(APP);
  }

  private void shown(String cause, String app, String words) {
    var seconds = Stopwatch.secondsUntil(cause, () -> message(app).contains(words));
    times.add("| %s | %.1f | %s |".formatted(cause, seconds, message(app)));
  }

  /** What people see first of it. */
  private String message(String app) {
    var message = Shop.condition(shop.app(app), "Ready").orElseThrow().getMessage();
    return message.substring(0, Math.min(LOOKED_AT, message.length()));
  }

  private static void kubectl(String verb, List<String> objects, String... last) {
    Engine.run(
        Stream.of(List.of("kubectl"), List.of(verb.split(" ")), objects, List.of(last))
            .flatMap(List::stream)
            .toList());
  }

  private static void label(String kind, String name, String label) {
    Engine.run(List.of("kubectl", "label", "--overwrite", kind, name, label));
  }

  private Yaml manifest(String kind, String spec) {
    return new Yaml(
        "{apiVersion: v1, kind: %s, metadata: {name: full, namespace: %s}, spec: {%s}}"
            .formatted(kind, shop.namespace, spec));
  }

  /** That nobody serves. */
  private Yaml webhook() {
    return new Yaml(
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingWebhookConfiguration
        metadata: {name: %1$s}
        webhooks:
        - name: nobody.example.com
          admissionReviewVersions: [v1]
          sideEffects: None
          failurePolicy: Fail
          clientConfig: {url: "https://127.0.0.1:1/"}
          namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %1$s}}
          rules:
          - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
        """
            .formatted(shop.namespace));
  }

  /** Two pods on nodes of their own. */
  private Yaml app(String name, String storageClass) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: App
        metadata: {name: %1$s, namespace: %2$s}
        spec:
          plugin: {name: redis, version: 1.0.0}
          runtime: {name: redis, version: "7.0"}
          components:
          - name: redis-nodes
            type: redis
            groups:
            - name: main
              replicas: 2
              storage: {size: 1Gi, storageClassName: %3$s}
              resources: {requests: {memory: 128Mi}, limits: {memory: 128Mi}}
              affinity:
                podAntiAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - topologyKey: kubernetes.io/hostname
                    labelSelector: {matchLabels: {middleware.io/app: %1$s}}
        """
            .formatted(name, shop.namespace, storageClass));
  }
}
