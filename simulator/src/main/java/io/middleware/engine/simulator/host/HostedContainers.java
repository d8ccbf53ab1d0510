package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.simulator.host.HostedPod.HostContext;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The containers of one pod that run on this machine. Used by one thread.
 *
 * @param probes of those whose readiness counts
 */
record HostedContainers(Pod pod, List<HostedContainer> all, List<ContainerProbe> probes) {
  /** Of a Job: the first one, which says how the pod ends. */
  static HostedContainers ofJob(Pod pod, HostContext context) {
    return only(pod, pod.getSpec().getContainers().getFirst(), context);
  }

  /** The one with this name, whose agent says whether it is ready. */
  static HostedContainers only(Pod pod, Container container, HostContext context) {
    var log = pod.getMetadata().getName();
    return new HostedContainers(
        pod, List.of(new HostedContainer(pod, container, log, context)), List.of());
  }

  /** All that have a command, as no image runs here, and the agent by commands. */
  static HostedContainers withCommands(Pod pod, HostContext context) {
    var first = pod.getSpec().getContainers().getFirst().getName();
    var name = pod.getMetadata().getName();
    var all =
        pod.getSpec().getContainers().stream()
            .map(one -> HostedAgent.isByCommands(pod, one) ? withoutAgent(one) : one)
            .filter(one -> !one.getCommand().isEmpty() || !one.getArgs().isEmpty())
            .map(
                one -> {
                  var log = one.getName().equals(first) ? name : name + "_" + one.getName();
                  return new HostedContainer(pod, one, log, context);
                })
            .toList();
    var ip = pod.getStatus().getPodIP();
    return new HostedContainers(
        pod, all, all.stream().map(one -> new ContainerProbe(one, ip)).toList());
  }

  /** This process is the agent; its commands run in a container in which nothing else does. */
  private static Container withoutAgent(Container agent) {
    return new ContainerBuilder(agent)
        .withCommand("sleep", "infinity")
        .withArgs()
        .withLifecycle(null)
        .withReadinessProbe(null)
        .build();
  }

  HostedContainer first() {
    return all.getFirst();
  }

  /** The one in which the commands of an agent run. */
  Optional<HostedContainer> ofAgent() {
    return all.stream().filter(one -> HostedAgent.isByCommands(pod, one.container())).findFirst();
  }

  /** Whether one of them has been started, maybe by an earlier simulator. */
  boolean wereStarted() {
    return all.stream().anyMatch(HostedContainer::wasStarted);
  }

  void keepRunning() throws IOException {
    for (var one : all) {
      one.keepRunning();
    }
  }

  /** Writes the current files of their ConfigMaps and Secrets. */
  void refresh() throws IOException {
    for (var one : all) {
      one.mounts();
    }
  }

  boolean areReady() throws IOException, InterruptedException {
    var ready = true;
    for (var one : probes) {
      ready = one.isReady() && ready;
    }
    return ready;
  }

  List<ContainerStatus> statuses() {
    return all.stream().map(HostedContainer::status).toList();
  }

  /** Whether the pod says what they are. */
  boolean areReportedBy(Pod pod) {
    return statuses().stream()
        .allMatch(
            one -> PodApi.status(pod, one.getName()).filter(it -> isSame(it, one)).isPresent());
  }

  private static boolean isSame(ContainerStatus reported, ContainerStatus own) {
    return Objects.equals(reported.getRestartCount(), own.getRestartCount())
        && isWaiting(reported) == isWaiting(own)
        && Objects.equals(reported.getLastState(), own.getLastState());
  }

  private static boolean isWaiting(ContainerStatus one) {
    return one.getState() != null && one.getState().getWaiting() != null;
  }

  /** One after the other, all within this time. */
  void stop(Duration grace) throws InterruptedException, IOException {
    var end = Instant.now().plus(grace);
    for (var one : all) {
      var rest = Duration.between(Instant.now(), end);
      one.stop(rest.isNegative() ? Duration.ZERO : rest);
    }
  }
}
