package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.server.AgentAnswers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * All pods with real processes, which are those with the annotation {@value #ANNOTATION}. For their
 * agents in Java, a Service resolves to the pods of the StatefulSet with the same name.
 */
public final class PodHost implements AutoCloseable, OtherHostedPods {
  /** The name of the one container to run, or {@value #COMMAND}. */
  public static final String ANNOTATION = "local.middleware.io/process";

  /** The value of the annotation of pods whose containers all run by their commands. */
  static final String COMMAND = "command";

  private static final Set<String> CONTAINERS = Set.of(HostedAgent.REDIS, HostedAgent.SENTINEL);

  private final HostSettings settings;
  private final RedisServers servers = new RedisServers();
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, List<Pod>> groups = new ConcurrentHashMap<>();
  private final Map<String, HostedPod> hosted = new ConcurrentHashMap<>();
  private final HostedPod.HostContext context;

  public PodHost(KubernetesClient client, HostSettings settings) {
    this.settings = settings;
    this.context = new HostedPod.HostContext(client, settings, servers, this, scheduler);
  }

  /** What the agent of the pod with this uid answers, if the pod has a real one. */
  public Optional<AgentAnswers> answers(String uid) {
    return Optional.ofNullable(hosted.get(uid)).flatMap(HostedPod::answers);
  }

  /** Updates all pods of a group. */
  public void changed(String group, List<Pod> pods) {
    groups.put(group, pods);
    pods.stream()
        .filter(pod -> hasRealProcess(group, pod))
        .forEach(pod -> hosted.computeIfAbsent(uid(pod), uid -> start(group, pod)));
    hosted.values().stream()
        .filter(one -> one.group().equals(group))
        .forEach(one -> one.observe(pods));
    if (pods.isEmpty()) {
      groups.remove(group);
    }
  }

  /** The processes continue. */
  @Override
  public void close() {
    threads.shutdownNow();
    scheduler.shutdownNow();
    servers.close();
  }

  private HostedPod start(String group, Pod pod) {
    try {
      var hostedPod = new HostedPod(group, pod, context);
      threads.execute(
          () -> {
            hostedPod.run();
            hosted.remove(uid(pod));
          });
      return hostedPod;
    } catch (IOException e) {
      throw new UncheckedIOException("host the pod " + pod.getMetadata().getName(), e);
    }
  }

  @Override
  public List<Pod> pods(String namespace) {
    return groups.values().stream()
        .flatMap(List::stream)
        .filter(pod -> pod.getMetadata().getNamespace().equals(namespace))
        .toList();
  }

  @Override
  public List<String> addresses(String namespace, String set) {
    return hosted.values().stream()
        .map(pod -> pod.address(namespace, set))
        .flatMap(Optional::stream)
        .toList();
  }

  @Override
  public Map<String, String> roles(String namespace, List<String> pods) {
    Map<String, String> roles = new HashMap<>();
    for (var one : hosted.values()) {
      var self = one.self().map(Pod::getMetadata);
      if (self.filter(it -> it.getNamespace().equals(namespace) && pods.contains(it.getName()))
          .isPresent()) {
        role(one).ifPresent(role -> roles.put(self.get().getName(), role));
      }
    }
    return roles;
  }

  private static Optional<String> role(HostedPod pod) {
    try {
      return pod.answers().map(AgentAnswers::role);
    } catch (StatusRuntimeException e) {
      return Optional.empty(); // it does not know it now
    }
  }

  private boolean hasRealProcess(String group, Pod pod) {
    var annotations = pod.getMetadata().getAnnotations();
    var process = annotations == null ? "" : annotations.getOrDefault(ANNOTATION, "");
    if (pod.getStatus().getPodIP() == null || JobPods.isOne(pod) != JobPods.isGroup(group)) {
      return false;
    }
    return process.equals(COMMAND)
        ? JobPods.isOne(pod) || settings.roots()
        : CONTAINERS.contains(process) && !JobPods.isOne(pod);
  }

  private static String uid(Pod pod) {
    return pod.getMetadata().getUid();
  }
}
