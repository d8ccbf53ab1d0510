package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.agent.order.NumberedName;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.server.AgentAnswers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the containers of one pod on its own thread, with a check in intervals and on every change
 * of the pod:
 *
 * <ol>
 *   <li>Run the init containers, each until it succeeds.
 *   <li>While the pod exists, start each container, and start it again when it ends.
 *   <li>Report the pod as Ready while its agent says that it serves, and its probes succeed.
 *   <li>When the pod is being deleted, run the containers' {@code preStop}, stop them, then remove
 *       the pod.
 * </ol>
 *
 * The pod of a Job is started once, and is over when its first container has ended.
 */
final class HostedPod implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(HostedPod.class);
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
  private static final Duration WHILE_STARTING = Duration.ofMillis(100);
  private static final Duration AFTERWARDS = Duration.ofSeconds(1);

  /** The exit code of a container that could not be started. */
  private static final int NOT_STARTED = 128;

  /**
   * What all hosted pods share.
   *
   * @param scheduler ends the pauses of agents by commands
   */
  record HostContext(
      KubernetesClient client,
      HostSettings settings,
      RedisServers servers,
      OtherHostedPods others,
      ScheduledExecutorService scheduler) {}

  private final String group;
  private final String name;
  private final HostContext context;
  private final PodApi api;
  private final SiblingPods observed;
  private final boolean ofJob;
  private final boolean byCommands;
  private final HostedContainers containers;
  private final InitContainers init;
  private final Optional<HostedAgent> agent;
  private final HostsFile hosts;
  private final RetryLog retries;
  private Instant nextRefresh = Instant.EPOCH;
  private boolean removed;

  HostedPod(String group, Pod pod, HostContext context) throws IOException {
    var meta = pod.getMetadata();
    this.group = group;
    this.name = meta.getNamespace() + "/" + meta.getName();
    this.context = context;
    this.retries = new RetryLog(name);
    this.api = new PodApi(context.client());
    this.observed = new SiblingPods(pod);
    this.ofJob = JobPods.isOne(pod);
    this.hosts = new HostsFile(context.client(), pod);
    var process = meta.getAnnotations().get(PodHost.ANNOTATION);
    this.byCommands = process.equals(PodHost.COMMAND);
    this.containers = containers(pod, process);
    var runs = containers.wereStarted();
    var config = new PodConfig(pod, context.client());
    var peers = new HostedPeers(observed, config, RedisServers.PORT);
    this.init = new InitContainers(pod, peers, context, byCommands && !ofJob, runs);
    this.agent =
        switch (process) {
          case HostedAgent.REDIS ->
              Optional.of(HostedAgent.redis(pod, peers, context, runs && PodApi.isReady(pod)));
          case HostedAgent.SENTINEL -> Optional.of(HostedAgent.sentinel(pod, config, context));
          default -> containers.ofAgent().map(one -> HostedAgent.byCommands(pod, one, context));
        };
  }

  private HostedContainers containers(Pod pod, String process) {
    if (ofJob) {
      return HostedContainers.ofJob(pod, context);
    }
    return byCommands
        ? HostedContainers.withCommands(pod, context)
        : HostedContainers.only(pod, ContainerCommand.container(pod, process), context);
  }

  String group() {
    return group;
  }

  /** Of its agent, if it has one. */
  Optional<AgentAnswers> answers() {
    return agent.map(HostedAgent::answers);
  }

  /** The pod itself; empty when it is gone. */
  Optional<Pod> self() {
    return observed.self();
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
      for (var pod = observed.self(); pod.isPresent(); pod = observed.self()) {
        reconcile(pod.get());
        observed.awaitChange(pause(pod.get()));
      }
      stop(Duration.ZERO);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // this process ends; the commands continue
    } catch (IOException | RuntimeException e) {
      retries.failed(e);
    }
  }

  private Duration pause(Pod pod) {
    if (hasEnded(pod) || removed) {
      return AFTERWARDS;
    }
    return ofJob || byCommands && !PodApi.isReady(pod)
        ? WHILE_STARTING
        : agent.map(HostedAgent::interval).orElse(AFTERWARDS);
  }

  private void reconcile(Pod pod) throws InterruptedException {
    try {
      if (pod.isMarkedForDeletion()) {
        delete(pod);
      } else if (!hasEnded(pod)) {
        refresh(pod);
        if (ofJob) {
          advance(pod);
        } else {
          keepRunning(pod);
        }
      }
      retries.succeeded();
    } catch (IOException | RuntimeException e) {
      retries.failed(e);
    }
  }

  /** Writes what the files of the pod say now, as a kubelet and a DNS do. */
  private void refresh(Pod pod) throws IOException {
    if (Instant.now().isBefore(nextRefresh)) {
      return;
    }
    var follows = byCommands || VolumeFiles.areOfSecrets(pod);
    nextRefresh = follows ? Instant.now().plus(AFTERWARDS) : Instant.MAX;
    hosts.writeTo(
        context.settings().hosts(observed.uid()),
        byCommands ? context.others().pods(pod.getMetadata().getNamespace()) : List.of());
    if (follows && !ofJob) {
      containers.refresh();
      HostedAgent.refresh(pod, context);
    }
  }

  private void keepRunning(Pod pod) throws IOException, InterruptedException {
    if (init.run()) {
      containers.keepRunning();
    }
    var serves = agent.isEmpty() || agent.get().maintenance().maintain();
    var ready = containers.areReady() && serves && init.run();
    if (ready != PodApi.isReady(pod)
        || !init.areReportedBy(pod)
        || !containers.areReportedBy(pod)) {
      api.report(pod, ready, containers.statuses(), init.statuses());
    }
  }

  private void advance(Pod pod) throws IOException {
    var first = containers.first();
    if (first.container().getCommand().isEmpty() && first.container().getArgs().isEmpty()) {
      api.reportEnd(
          pod,
          new ContainerStateTerminatedBuilder(first.end(NOT_STARTED))
              .withReason("StartError")
              .withMessage("no image runs here: the container needs a command")
              .build());
      return;
    }
    if (!first.wasStarted()) {
      first.start();
    }
    var code = first.exitCode();
    if (code.isPresent()) {
      reportEnd(pod, code.get());
    } else if (!PodApi.isReady(pod)) {
      api.report(pod, true, List.of(), List.of());
    }
  }

  private void delete(Pod pod) throws InterruptedException, IOException {
    if (removed) {
      return; // somebody still counts it
    }
    stop(PodApi.grace(pod));
    if (ofJob && !hasEnded(pod)) {
      var first = containers.first();
      reportEnd(pod, first.wasStarted() ? first.exitCode().orElseThrow() : ContainerProcess.KILLED);
    }
    new PodFolder(context.settings().run(observed.uid())).remove();
    api.remove(pod);
    removed = true;
  }

  private void stop(Duration grace) throws InterruptedException, IOException {
    init.stop(grace);
    containers.stop(grace);
    if (observed.self().isEmpty()) {
      new PodFolder(context.settings().run(observed.uid())).remove();
    }
  }

  private void reportEnd(Pod pod, int code) throws IOException {
    api.reportEnd(pod, containers.first().end(code));
    LOG.atInfo().addKeyValue("pod", name).addKeyValue("code", code).log("command ended");
  }

  private static boolean hasEnded(Pod pod) {
    return ENDED.contains(pod.getStatus().getPhase());
  }
}
