package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.order.NumberedName;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.redis.ServiceAddresses;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one pod's Redis or Sentinel, on a thread of its own: looked at again and again, and
 * at once when the pod changes. It runs while the pod is there, is started again when it ends, and
 * the pod is Ready when it serves. When the pod is deleted it is asked to end, and the pod removed.
 */
final class HostedPod implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(HostedPod.class);
  private static final Duration RESTART = Duration.ofSeconds(1);

  /** A delete of a pod that is gone, or that has a successor of the same name. */
  private static final Set<Integer> GONE =
      Set.of(HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT);

  /**
   * What all hosted pods share.
   *
   * @param addresses by namespace
   */
  record HostContext(
      KubernetesClient client,
      HostSettings settings,
      RedisServers servers,
      Function<String, ServiceAddresses> addresses) {}

  private final String group;
  private final String name;
  private final HostContext tools;
  private final PodApi api;
  private final RedisProcess process;
  private final ObservedPods seen;
  private final String container;
  private final HostedAgent attended;

  private Instant started = Instant.EPOCH;
  private int starts;
  private String complaint = "";

  HostedPod(String group, Pod pod, HostContext tools) {
    var meta = pod.getMetadata();
    var settings = tools.settings();
    this.group = group;
    this.name = meta.getNamespace() + "/" + meta.getName();
    this.tools = tools;
    this.api = new PodApi(tools.client());
    this.process =
        new RedisProcess(
            settings.run(meta.getUid()), settings.log(meta.getNamespace(), meta.getName()));
    this.starts = process.isRunning() ? 1 : 0;
    this.seen = new ObservedPods(pod);
    this.container = meta.getAnnotations().get(PodHost.ANNOTATION);
    this.attended = attended(pod);
  }

  private HostedAgent attended(Pod pod) {
    var config = new PodConfig(pod, tools.client());
    if (container.equals(HostedAgent.SENTINEL)) {
      var addresses = tools.addresses().apply(pod.getMetadata().getNamespace());
      return HostedAgent.sentinel(pod, config, tools.servers(), addresses);
    }
    var joined = process.isRunning() && PodApi.isReady(pod);
    return HostedAgent.redis(pod, seen, config, tools.servers(), joined);
  }

  String group() {
    return group;
  }

  Driver driver() {
    return attended.driver();
  }

  /** Its address while it is a pod of this StatefulSet, and there. */
  Optional<String> address(String namespace, String set) {
    return seen.self()
        .filter(
            pod ->
                pod.getMetadata().getNamespace().equals(namespace)
                    && NumberedName.of(pod.getMetadata().getName()).stem().equals(set))
        .map(pod -> pod.getStatus().getPodIP());
  }

  /** All pods of its group as they are now. */
  void seen(List<Pod> pods) {
    seen.become(pods);
  }

  @Override
  public void run() {
    try {
      var pod = seen.self();
      while (pod.filter(one -> !one.isMarkedForDeletion()).isPresent()) {
        look(pod.get());
        seen.awaitChange(attended.pause());
        pod = seen.self();
      }
      end(pod);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // this process ends, Redis goes on
    }
  }

  private void look(Pod pod) {
    try {
      if (!process.isRunning() && Instant.now().isAfter(started.plus(RESTART))) {
        start(pod);
      }
      var serves = attended.upkeep().look();
      if (serves != PodApi.isReady(pod)) {
        api.report(pod, serves, Math.max(0, starts - 1));
      }
      complaint = "";
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) { // else the next look sees a newer pod
        complain(e);
      }
    } catch (IOException | RuntimeException e) {
      complain(e);
    }
  }

  private void start(Pod pod) throws IOException {
    started = Instant.now();
    var from = ContainerCommand.container(pod, container);
    var mounts = MountedVolumes.of(pod, from, tools.client(), tools.settings());
    var words = ContainerCommand.of(pod, from).words();
    process.start(tools.settings().program(), words.stream().map(mounts::here).toList());
    starts++;
    LOG.atInfo()
        .addKeyValue("pod", name)
        .addKeyValue("container", container)
        .addKeyValue("starts", starts)
        .log("process starts");
  }

  private void end(Optional<Pod> pod) throws InterruptedException {
    var patience = pod.map(one -> one.getSpec().getTerminationGracePeriodSeconds()).orElse(0L);
    process.stop(Duration.ofSeconds(patience));
    removeFolder(tools.settings().run(seen.uid()));
    var removed = false;
    while (seen.self().isPresent()) {
      removed = removed || isRemoved(pod.orElseThrow());
      seen.awaitChange(attended.pause());
    }
  }

  private boolean isRemoved(Pod pod) {
    try {
      api.remove(pod);
      return true;
    } catch (KubernetesClientException e) {
      if (GONE.contains(e.getCode())) {
        return true;
      }
      complain(e);
      return false;
    }
  }

  private void complain(Exception cause) {
    var words = String.valueOf(cause.getMessage());
    if (!words.equals(complaint)) {
      complaint = words;
      LOG.atWarn().addKeyValue("pod", name).setCause(cause).log("pod left as it is, trying on");
    }
  }

  private void removeFolder(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      LOG.atWarn().addKeyValue("pod", name).addKeyValue("cause", e).log("its folder stays");
    }
  }
}
