package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.redis.ServiceAddresses;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * All pods that have a real process here: those with the annotation {@value #ANNOTATION}. A Service
 * leads to those of the StatefulSet of its name, as the cluster's own names do in the plugin.
 */
public final class PodHost implements AutoCloseable {
  /** On a pod: which of its containers to run. */
  public static final String ANNOTATION = "local.middleware.io/process";

  private static final Set<String> CONTAINERS = Set.of(HostedAgent.REDIS, HostedAgent.SENTINEL);

  private final KubernetesClient client;
  private final HostSettings settings;
  private final RedisServers servers = new RedisServers();
  private final ExecutorService lives = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, HostedPod> hosted = new ConcurrentHashMap<>();

  public PodHost(KubernetesClient client, HostSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  /** What drives the process of the pod of this uid, if it has one. */
  public Optional<Driver> driver(String uid) {
    return Optional.ofNullable(hosted.get(uid)).map(HostedPod::driver);
  }

  /** These are all pods of a group now. */
  public void changed(String group, List<Pod> pods) {
    pods.stream()
        .filter(PodHost::isOurs)
        .forEach(pod -> hosted.computeIfAbsent(uid(pod), uid -> begin(group, pod)));
    hosted.values().stream()
        .filter(one -> one.group().equals(group))
        .forEach(one -> one.seen(pods));
  }

  /** Redis goes on: this process is not its parent's keeper. */
  @Override
  public void close() {
    lives.shutdownNow();
    servers.close();
  }

  private HostedPod begin(String group, Pod pod) {
    var tools = new HostedPod.HostContext(client, settings, servers, this::addresses);
    var life = new HostedPod(group, pod, tools);
    lives.execute(
        () -> {
          life.run();
          hosted.remove(uid(pod));
        });
    return life;
  }

  private ServiceAddresses addresses(String namespace) {
    return service ->
        hosted.values().stream()
            .map(pod -> pod.address(namespace, service))
            .flatMap(Optional::stream)
            .toList();
  }

  private static boolean isOurs(Pod pod) {
    var annotations = pod.getMetadata().getAnnotations();
    return annotations != null
        && CONTAINERS.contains(annotations.getOrDefault(ANNOTATION, ""))
        && pod.getStatus().getPodIP() != null;
  }

  private static String uid(Pod pod) {
    return pod.getMetadata().getUid();
  }
}
