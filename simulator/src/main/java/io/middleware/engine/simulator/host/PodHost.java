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
 * All pods with a real Redis, which are those with the annotation {@value #ANNOTATION}. A Service
 * resolves to the pods of the StatefulSet with the same name, as in the Redis Plugin.
 */
public final class PodHost implements AutoCloseable {
  /** The name of the container to run; for pods of Jobs see {@link CommandPods}. */
  public static final String ANNOTATION = "local.middleware.io/process";

  private static final Set<String> CONTAINERS = Set.of(HostedAgent.REDIS, HostedAgent.SENTINEL);

  private final KubernetesClient client;
  private final HostSettings settings;
  private final RedisServers servers = new RedisServers();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, HostedPod> hosted = new ConcurrentHashMap<>();

  public PodHost(KubernetesClient client, HostSettings settings) {
    this.client = client;
    this.settings = settings;
  }

  /** The driver of the pod with this uid, if the pod has a real process. */
  public Optional<Driver> driver(String uid) {
    return Optional.ofNullable(hosted.get(uid)).map(HostedPod::driver);
  }

  /** Updates all pods of a group. */
  public void changed(String group, List<Pod> pods) {
    pods.stream()
        .filter(PodHost::hasRealProcess)
        .forEach(pod -> hosted.computeIfAbsent(uid(pod), uid -> start(group, pod)));
    hosted.values().stream()
        .filter(one -> one.group().equals(group))
        .forEach(one -> one.observe(pods));
  }

  /** The Redis processes continue. */
  @Override
  public void close() {
    threads.shutdownNow();
    servers.close();
  }

  private HostedPod start(String group, Pod pod) {
    var context = new HostedPod.HostContext(client, settings, servers, this::addresses);
    var hostedPod = new HostedPod(group, pod, context);
    threads.execute(
        () -> {
          hostedPod.run();
          hosted.remove(uid(pod));
        });
    return hostedPod;
  }

  private ServiceAddresses addresses(String namespace) {
    return service ->
        hosted.values().stream()
            .map(pod -> pod.address(namespace, service))
            .flatMap(Optional::stream)
            .toList();
  }

  private static boolean hasRealProcess(Pod pod) {
    var annotations = pod.getMetadata().getAnnotations();
    return annotations != null
        && CONTAINERS.contains(annotations.getOrDefault(ANNOTATION, ""))
        && pod.getStatus().getPodIP() != null;
  }

  private static String uid(Pod pod) {
    return pod.getMetadata().getUid();
  }
}
