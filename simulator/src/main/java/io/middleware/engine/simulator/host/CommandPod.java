package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the command of one pod's first container on its own thread, once, and reports how it has
 * ended. When the pod is being deleted, it runs the container's {@code preStop} command, stops the
 * command and removes the pod.
 */
final class CommandPod implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(CommandPod.class);
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
  private static final Duration WHILE_RUNNING = Duration.ofMillis(100);
  private static final Duration AFTERWARDS = Duration.ofSeconds(1);

  /** The exit code of a container that could not be started. */
  private static final int NOT_STARTED = 128;

  private final KubernetesClient client;
  private final HostSettings settings;
  private final PodApi api;
  private final SiblingPods observed;
  private final String name;
  private final Path folder;
  private final Path log;
  private final CommandProcess process;
  private final LastWords words;
  private final RetryLog retries;
  private boolean removed;

  CommandPod(Pod pod, KubernetesClient client, HostSettings settings) {
    var meta = pod.getMetadata();
    this.client = client;
    this.settings = settings;
    this.api = new PodApi(client);
    this.observed = new SiblingPods(pod);
    this.name = meta.getNamespace() + "/" + meta.getName();
    this.folder = settings.run(meta.getUid());
    this.log = settings.log(meta.getNamespace(), meta.getName());
    var left = folder.resolve(".command"); // no volume has such a name
    this.process = new CommandProcess(left, log);
    this.words = new LastWords(left.resolve("message"), log);
    this.retries = new RetryLog(name);
  }

  /** Updates the pod; without one it is gone. */
  void observe(List<Pod> pod) {
    observed.update(pod);
  }

  @Override
  public void run() {
    try {
      for (var pod = observed.self(); pod.isPresent(); pod = observed.self()) {
        reconcile(pod.get());
        observed.awaitChange(hasEnded(pod.get()) ? AFTERWARDS : WHILE_RUNNING);
      }
      process.stop(Duration.ZERO);
      new PodFolder(folder).remove();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // this process ends; the command continues
    } catch (IOException e) {
      retries.failed(e);
    }
  }

  private void reconcile(Pod pod) throws InterruptedException {
    try {
      if (pod.isMarkedForDeletion()) {
        delete(pod);
      } else if (!hasEnded(pod)) {
        advance(pod);
      }
      retries.succeeded();
    } catch (IOException | RuntimeException e) {
      retries.failed(e);
    }
  }

  private void advance(Pod pod) throws IOException {
    var container = container(pod);
    if (container.getCommand().isEmpty() && container.getArgs().isEmpty()) {
      report(pod, NOT_STARTED, "StartError", "no image runs here: the container needs a command");
      return;
    }
    if (!process.wasStarted()) {
      start(pod, container);
    }
    var code = process.exitCode();
    if (code.isPresent()) {
      reportEnd(pod, code.get());
    } else if (!PodApi.isReady(pod)) {
      api.report(pod, true, 0, Optional.empty());
    }
  }

  private void start(Pod pod, Container container) throws IOException {
    var mounts = MountedVolumes.of(pod, container, client, settings);
    var variables = variables(pod, container);
    process.start(
        ContainerCommand.of(container, variables).arguments().stream()
            .map(mounts::toLocalPath)
            .map(argument -> withMessageFile(argument, container))
            .toList(),
        variables);
    LOG.atInfo().addKeyValue("pod", name).log("starting command");
  }

  private Map<String, String> variables(Pod pod, Container container) {
    Map<String, String> variables = new TreeMap<>();
    variables.put("PATH", settings.searchPath(container.getImage()));
    variables.put("HOME", folder.toString());
    variables.put("HOSTNAME", pod.getMetadata().getName());
    variables.putAll(ContainerEnvironment.of(pod, container, client).variables());
    return variables;
  }

  private String withMessageFile(String argument, Container container) {
    var path = Optional.ofNullable(container.getTerminationMessagePath());
    return argument.replace(path.orElse("/dev/termination-log"), words.message().toString());
  }

  private void delete(Pod pod) throws InterruptedException, IOException {
    if (removed) {
      return; // its Job still counts it
    }
    if (process.wasStarted()) {
      process.stop(afterPreStop(pod));
    }
    if (!hasEnded(pod)) {
      var code = process.wasStarted() ? process.exitCode().orElseThrow() : CommandProcess.KILLED;
      reportEnd(pod, code);
    }
    new PodFolder(folder).remove();
    api.remove(pod);
    removed = true;
  }

  /** Returns what remains of the grace period. */
  private Duration afterPreStop(Pod pod) throws InterruptedException, IOException {
    var grace = PodApi.grace(pod);
    if (process.exitCode().isPresent()) {
      return grace;
    }
    var container = container(pod);
    var command =
        PreStopHook.command(container, MountedVolumes.of(pod, container, client, settings));
    return new PreStopHook(name, command, variables(pod, container), log).run(grace);
  }

  private void reportEnd(Pod pod, int code) throws IOException {
    var reason = code == 0 ? "Completed" : "Error";
    report(pod, code, reason, words.of(container(pod), code));
    LOG.atInfo().addKeyValue("pod", name).addKeyValue("code", code).log("command ended");
  }

  private void report(Pod pod, int code, String reason, String message) throws IOException {
    var now = Instant.now();
    api.reportEnd(
        pod,
        new ContainerStateTerminatedBuilder()
            .withExitCode(code)
            .withReason(reason)
            .withMessage(message)
            .withStartedAt(PodApi.text(process.wasStarted() ? process.started() : now))
            .withFinishedAt(PodApi.text(now))
            .build());
  }

  private static Container container(Pod pod) {
    return pod.getSpec().getContainers().getFirst();
  }

  private static boolean hasEnded(Pod pod) {
    return ENDED.contains(pod.getStatus().getPhase());
  }
}
