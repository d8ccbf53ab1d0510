package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.order.NumberedName;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.redis.ServiceAddresses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the Redis or Sentinel of one pod on its own thread, with a check in intervals and on every
 * change of the pod:
 *
 * <ol>
 *   <li>Run the init container that restores a backup, until it succeeds.
 *   <li>While the pod exists, start the process, and start it again when it ends.
 *   <li>Report the pod as Ready while the process serves.
 *   <li>When the pod is being deleted, run the container's {@code preStop} command, stop the
 *       process, then remove the pod.
 * </ol>
 */
final class HostedPod implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(HostedPod.class);
  private static final Duration RESTART_DELAY = Duration.ofSeconds(1);

  /**
   * What all hosted pods share.
   *
   * @param addresses resolves Services, by namespace
   */
  record HostContext(
      KubernetesClient client,
      HostSettings settings,
      RedisServers servers,
      Function<String, ServiceAddresses> addresses) {}

  private final String group;
  private final String name;
  private final HostContext context;
  private final PodApi api;
  private final Path log;
  private final RedisProcess process;
  private final SiblingPods observed;
  private final String container;
  private final InitContainer init;
  private final HostedAgent agent;
  private final RetryLog retries;

  private Instant started = Instant.EPOCH;
  private int starts;

  HostedPod(String group, Pod pod, HostContext context) {
    var meta = pod.getMetadata();
    var settings = context.settings();
    this.group = group;
    this.name = meta.getNamespace() + "/" + meta.getName();
    this.context = context;
    this.retries = new RetryLog(name);
    this.api = new PodApi(context.client());
    this.log = settings.log(meta.getNamespace(), meta.getName());
    this.process = new RedisProcess(settings.run(meta.getUid()), log);
    this.starts = process.isRunning() ? 1 : 0;
    this.observed = new SiblingPods(pod);
    this.container = meta.getAnnotations().get(PodHost.ANNOTATION);
    var config = new PodConfig(pod, context.client());
    var peers = new HostedPeers(observed, config, RedisServers.PORT);
    this.init = new InitContainer(HostedRestore.of(pod, peers, context), process.isRunning());
    this.agent = agent(pod, config, peers);
  }

  private HostedAgent agent(Pod pod, PodConfig config, HostedPeers peers) {
    if (container.equals(HostedAgent.SENTINEL)) {
      var addresses = context.addresses().apply(pod.getMetadata().getNamespace());
      return HostedAgent.sentinel(pod, config, context.servers(), addresses);
    }
    var joined = process.isRunning() && PodApi.isReady(pod);
    return HostedAgent.redis(pod, peers, context, joined);
  }

  String group() {
    return group;
  }

  Driver driver() {
    return agent.driver();
  }

  /** Its address, if it exists and belongs to this StatefulSet. */
  Optional<String> address(String namespace, String set) {
    return observed
        .self()
        .filter(
            pod ->
                pod.getMetadata().getNamespace().equals(namespace)
                    && NumberedName.of(pod.getMetadata().getName()).stem().equals(set))
        .map(pod -> pod.getStatus().getPodIP());
  }

  /** Updates all pods of its group. */
  void observe(List<Pod> pods) {
    observed.update(pods);
  }

  @Override
  public void run() {
    try {
      var pod = observed.self();
      while (pod.filter(one -> !one.isMarkedForDeletion()).isPresent()) {
        reconcile(pod.get());
        observed.awaitChange(agent.interval());
        pod = observed.self();
      }
      stop(pod);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // this process ends; Redis continues
    }
  }

  private void reconcile(Pod pod) {
    try {
      if (init.run()
          && !process.isRunning()
          && Instant.now().isAfter(started.plus(RESTART_DELAY))) {
        start(pod);
      }
      var serves = agent.maintenance().maintain();
      if (serves != PodApi.isReady(pod) || !init.isReportedBy(pod)) {
        api.report(pod, serves, Math.max(0, starts - 1), init.status());
      }
      retries.succeeded();
    } catch (IOException | RuntimeException e) {
      retries.failed(e);
    }
  }

  private void start(Pod pod) throws IOException {
    started = Instant.now();
    var from = ContainerCommand.container(pod, container);
    var mounts = mounts(pod, from);
    var command = ContainerCommand.of(pod, from).arguments();
    process.start(command.stream().map(mounts::toLocalPath).toList(), variables(pod, from));
    starts++;
    LOG.atInfo()
        .addKeyValue("pod", name)
        .addKeyValue("container", container)
        .addKeyValue("starts", starts)
        .log("starting process");
  }

  private MountedVolumes mounts(Pod pod, Container from) throws IOException {
    return MountedVolumes.of(pod, from, context.client(), context.settings());
  }

  private Map<String, String> variables(Pod pod, Container from) {
    Map<String, String> variables = new HashMap<>(ContainerCommand.environment(pod, from));
    variables.put("PATH", context.settings().searchPath(from.getImage()));
    return variables;
  }

  private void stop(Optional<Pod> pod) throws InterruptedException {
    process.stop(pod.isPresent() ? afterPreStop(pod.get()) : Duration.ZERO);
    removeFolder();
    var removed = false;
    while (observed.self().isPresent()) {
      removed = removed || isRemoved(pod.orElseThrow());
      observed.awaitChange(agent.interval());
    }
  }

  /** Returns what remains of the grace period. */
  private Duration afterPreStop(Pod pod) throws InterruptedException {
    var grace = PodApi.grace(pod);
    if (!process.isRunning()) {
      return grace;
    }
    try {
      var from = ContainerCommand.container(pod, container);
      var command = PreStopHook.command(from, mounts(pod, from));
      return new PreStopHook(name, command, variables(pod, from), log).run(grace);
    } catch (IOException | RuntimeException e) {
      retries.failed(e);
      return grace;
    }
  }

  private boolean isRemoved(Pod pod) {
    try {
      api.remove(pod);
      return true;
    } catch (KubernetesClientException e) {
      retries.failed(e);
      return false;
    }
  }

  private void removeFolder() {
    try {
      new PodFolder(context.settings().run(observed.uid())).remove();
    } catch (IOException e) {
      retries.failed(e);
    }
  }
}
