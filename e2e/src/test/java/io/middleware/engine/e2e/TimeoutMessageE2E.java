package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A task that runs out of time says which pod it waited for, and why that was not ready. */
@EndToEnd
class TimeoutMessageE2E {
  private static final String VERSION = "1.0.6";
  private static final String FAULT =
      "${runtime.version == '7.2' && group in ['image-pull', 'never-ready']"
          + " ? optional.of(group) : optional.none()}";

  private static Shop shop;

  /** All hang at once, each for a cause of its own. */
  @BeforeAll
  static void breakAll(Shop own) {
    shop = own;
    shop.applyPlugin(plugin());
    causes().forEach(cause -> shop.apply(app(name(cause))));
    causes().forEach(cause -> shop.awaitReady(name(cause)));
    annotate("crash-loop", "local.middleware.io/crash=true");
    annotate("agent-dead", "agent.local.middleware.io/fault=dead");
    shop.awaitApp("crash-loop", a -> a.getStatus().ready().equals("0/1"));
    shop.kubectl(
        "",
        "create",
        "poddisruptionbudget",
        "budget",
        "-n",
        shop.namespace,
        "--selector=middleware.io/app=budget",
        "--min-available=1");
    causes().map(TimeoutMessageE2E::name).forEach(name -> shop.apply(changed(name)));
  }

  static Stream<Arguments> causes() {
    return Stream.of(
        Arguments.of(
            "image-pull",
            "ImagePullBackOff: image docker.io/library/redis:7.2 of container sentinel: simulated"),
        Arguments.of("never-ready", "Pending"),
        Arguments.of("crash-loop", "CrashLoopBackOff: simulated"),
        Arguments.of("unschedulable", "Unschedulable: 0/"),
        Arguments.of("budget", "it would violate the pod's disruption budget"),
        Arguments.of("agent-dead", "the agent of pod agent-dead-one-agent-dead-"));
  }

  @ParameterizedTest
  @MethodSource("causes")
  void shouldNameThePodAndItsOwnReason(String name, String reason) {
    // When
    var app = shop.awaitApp(name, TimeoutMessageE2E::hasFailed);
    // Then
    var error = app.getStatus().tasks().getFirst().error();
    System.out.println(name + ": " + error.message());
    assertThat(error.reason()).isEqualTo("TaskTimedOut");
    assertThat(error.message())
        .startsWith("timed out after " + limit(name))
        .contains("pod %s-one-%s-".formatted(name, name))
        .contains(reason);
  }

  private static boolean hasFailed(App app) {
    return app.getStatus().change().generation() == 2
        && "Failed".equals(app.getStatus().change().outcome());
  }

  private static String name(Arguments cause) {
    return (String) cause.get()[0];
  }

  /** Agents are first asked for an order, for 15 s. */
  private static String limit(String name) {
    return name.equals("agent-dead") ? "22s" : "15s";
  }

  /** Named as what will be wrong with it. */
  private static Yaml app(String name) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: App
        metadata: {name: %s, namespace: %s}
        spec:
          plugin: {name: redis, version: %s}
          runtime: {name: redis, version: "7.0"}
          components:
          - name: one
            type: %s
            groups: [{name: %s, replicas: %d, %s}]
          change: {maxRetries: 100, timeouts: {VersionUpgrade: %s, Resources: 15s}}
        """
            .formatted(
                name,
                shop.namespace,
                VERSION,
                name.equals("unschedulable") ? "redis" : "sentinel",
                name,
                name.equals("agent-dead") ? 2 : 1,
                name.equals("unschedulable")
                    ? "storage: {size: 1Gi}, resources: {requests: {cpu: 100m}}"
                    : "labels: {}",
                limit(name))
            .replace(", labels: {}", ""));
  }

  private static Yaml changed(String name) {
    return switch (name) {
      case "crash-loop" -> app(name).replace("replicas: 1", "replicas: 2");
      case "unschedulable" -> app(name).replace("cpu: 100m", "cpu: 1000");
      default -> app(name).replace("\"7.0\"", "\"7.2\"");
    };
  }

  private static void annotate(String app, String annotation) {
    var label = "middleware.io/app=" + app;
    shop.kubectl("", "annotate", "pods", "-l", label, "-n", shop.namespace, annotation);
  }

  /** Without agents there is no order to upgrade in. */
  private static Yaml plugin() {
    return shop.sample("plugin-redis.yaml")
        .replace("redis-v1.0.0", "redis-v" + VERSION)
        .replace("version: 1.0.0", "version: " + VERSION)
        .replace("upgrade: Sequential", "upgrade: Fail")
        .replace(
            "ready-after: 500ms}",
            "ready-after: 500ms, local.middleware.io/fault: \"" + FAULT + "\"}");
  }
}
