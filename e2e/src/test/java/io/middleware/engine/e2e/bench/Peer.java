package io.middleware.engine.e2e.bench;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;

/** What looks after one pod and replaces it when its image changes. */
enum Peer {
  /** By the controller of Kubernetes. */
  STATEFUL_SET("statefulset", "apps/v1", "StatefulSet", List.of()) {
    @Override
    String spec(String name, String version) {
      return template(name, version) + "  serviceName: " + name + "\n";
    }

    @Override
    boolean isDone(GenericKubernetesResource set) {
      return Integer.valueOf(1).equals(set.get("status", "readyReplicas"))
          && Integer.valueOf(1).equals(set.get("status", "updatedReplicas"))
          && set.get("status", "updateRevision").equals(set.get("status", "currentRevision"));
    }
  },

  /** By Argo Rollouts, without steps: a new pod first, as a Deployment does. */
  ROLLOUT("rollouts", "argoproj.io/v1alpha1", "Rollout", List.of("argo-rollouts")) {
    @Override
    String spec(String name, String version) {
      return template(name, version) + "  strategy: {canary: {}}\n";
    }

    @Override
    boolean isDone(GenericKubernetesResource rollout) {
      return "Healthy".equals(rollout.get("status", "phase"));
    }
  },

  /** By this engine, with the StatefulSet of above. */
  APP("engine", "middleware.io/v1", "App", List.of("worker", "watcher", "temporal")) {
    @Override
    String spec(String name, String version) {
      return """
        plugin: {name: plain, version: 1.0.0}
        runtime: {name: plain, version: "%s"}
        components: [{name: c0, type: plain, groups: [{name: g0, replicas: 1}]}]
      """
          .formatted(version);
    }

    @Override
    boolean isDone(GenericKubernetesResource app) {
      List<Map<String, Object>> conditions = app.get("status", "conditions");
      return conditions.stream()
          .anyMatch(c -> "Ready".equals(c.get("type")) && "True".equals(c.get("status")));
    }
  };

  /** In the keys of figures. */
  final String key;

  final String apiVersion;
  final String kind;

  /** The processes that only this one needs. */
  final List<String> processes;

  Peer(String key, String apiVersion, String kind, List<String> processes) {
    this.key = key;
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.processes = processes;
  }

  String yaml(String namespace, String name, String version) {
    return """
        apiVersion: %s
        kind: %s
        metadata: {name: %s, namespace: %s}
        spec:
        """
            .formatted(apiVersion, kind, name, namespace)
        + spec(name, version);
  }

  abstract String spec(String name, String version);

  /** Of an object whose newest generation was observed. */
  abstract boolean isDone(GenericKubernetesResource object);

  private static String template(String name, String version) {
    return """
      replicas: 1
      selector: {matchLabels: {app: %1$s}}
      template:
        metadata:
          labels: {app: %1$s}
          annotations: {local.middleware.io/ready-after: 300ms}
        spec: {containers: [{name: main, image: "main:%2$s"}]}
    """
        .formatted(name, version);
  }
}
