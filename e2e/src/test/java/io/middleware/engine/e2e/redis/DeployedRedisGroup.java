package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A replication group with real Redis servers, and who writes to it. */
public final class DeployedRedisGroup implements AutoCloseable {
  public final RedisWriter writer = new RedisWriter(this::addresses);
  private final Shop shop;
  private final String app;
  private final String name;

  /** A group of the App {@code cache}. */
  public DeployedRedisGroup(Shop shop, String name) {
    this(shop, "cache", name);
  }

  DeployedRedisGroup(Shop shop, String app, String name) {
    this.shop = shop;
    this.app = app;
    this.name = name;
  }

  /** Skips the test unless the servers are real. */
  public static void assumeReal() {
    assumeTrue(areReal(), "no redis-server here: dev/up says why");
  }

  /** Whether dev/up has set the simulated nodes up with real servers. */
  static boolean areReal() {
    try {
      var stages = Files.readString(Path.of(Engine.variable("INSTANCE_DIR"), "kwok.yaml"));
      return stages.contains("IN(\"redis\", ");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Id of the Redis process of a pod, which a shell has started. */
  public static String pid(Pod pod) {
    return pid(pod, "redis");
  }

  /** Id of the process of a container, which a shell has started. */
  public static String pid(Pod pod, String container) {
    var run = Path.of(Engine.variable("INSTANCE_DIR"), "pods", "run", pod.getMetadata().getUid());
    try {
      var shell =
          Long.parseLong(
              Files.readString(run.resolve(".containers").resolve(container).resolve("process/pid"))
                  .strip());
      var process = ProcessHandle.of(shell).flatMap(it -> it.children().findFirst());
      return String.valueOf(process.orElseThrow(IllegalStateException::new).pid());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has the App Ready. */
  public void deploy(Yaml app) {
    shop.applyPlugin(shop.file("plugins/redis/plugin.yaml"));
    shop.apply(app);
    shop.awaitReady("cache");
  }

  public List<Pod> pods() {
    return shop.client
        .pods()
        .inNamespace(shop.namespace)
        .withLabels(Labels.selector(app, "redis-nodes", name))
        .list()
        .getItems();
  }

  /** Address of the primary, as Redis says; on a busy machine it may not answer at once. */
  public String primaryAddress() {
    return await("a primary of group " + name)
        .until(writer::primaryAddress, Optional::isPresent)
        .orElseThrow();
  }

  /** Name of the pod that is the primary, as Redis says. */
  public String primary() {
    var address = primaryAddress();
    return pods().stream()
        .filter(pod -> address.equals(pod.getStatus().getPodIP()))
        .map(pod -> pod.getMetadata().getName())
        .findFirst()
        .orElseThrow();
  }

  /** A pod that is not the primary. */
  public Pod replica() {
    return pod(replicas().getFirst());
  }

  /** Names of the pods that are not the primary. */
  List<String> replicas() {
    var primary = primary();
    return pods().stream()
        .map(pod -> pod.getMetadata().getName())
        .filter(pod -> !pod.equals(primary))
        .toList();
  }

  Pod pod(String podName) {
    return shop.client.pods().inNamespace(shop.namespace).withName(podName).require();
  }

  /** Ends the writing. */
  public RedisWriter.Outcome assertThatNothingIsLost(String what) throws InterruptedException {
    var outcome = writer.stop();
    System.out.printf(
        "%s: %d writes acknowledged, %d lost, longest gap %d ms%n",
        what, outcome.acknowledged(), outcome.lost().size(), outcome.longestGap().toMillis());
    assertThat(outcome.acknowledged()).isGreaterThan(10);
    assertThat(outcome.lost()).isEmpty();
    return outcome;
  }

  @Override
  public void close() {
    writer.close();
  }

  private List<String> addresses() {
    return pods().stream().map(pod -> pod.getStatus().getPodIP()).filter(Objects::nonNull).toList();
  }
}
