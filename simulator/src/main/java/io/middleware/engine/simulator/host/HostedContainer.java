package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.grpc.Status;
import io.middleware.engine.simulator.host.HostedPod.HostContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One container of a hosted pod: its command as a process of this machine. Used by one thread. */
final class HostedContainer {
  private static final Logger LOG = LoggerFactory.getLogger(HostedContainer.class);
  private static final Duration RESTART_DELAY = Duration.ofSeconds(1);

  /** After this time of running, the next pause is the shortest again. */
  private static final Duration LONGEST_RESTART_DELAY = Duration.ofSeconds(8);

  private static final ContainerState CRASH_LOOP =
      new ContainerStateBuilder()
          .withNewWaiting()
          .withReason("CrashLoopBackOff")
          .endWaiting()
          .build();

  /** What a command keeps of this process: by the last one, dev/down knows it. */
  private static final Set<String> KEPT = Set.of("LANG", "DEV_PROCESS_OF");

  private static final String MESSAGE = "/dev/termination-log";

  /** Addresses that mean the pod itself, which has no network of its own here. */
  private static final Pattern OWN_ADDRESS =
      Pattern.compile("(?<![\\d.])(0\\.0\\.0\\.0|127\\.0\\.0\\.1)(?![\\d.]|/\\d)");

  private final Pod pod;
  private final Container container;
  private final HostContext context;
  private final Path folder;
  private final Path log;
  private final ContainerProcess process;
  private volatile Optional<Map<String, String>> variables = Optional.empty();
  private Instant started = Instant.EPOCH;
  private Duration delay = RESTART_DELAY;
  private int restarts;
  private Optional<ContainerState> lastEnd;
  private boolean ended;

  /**
   * @param log the name of its log, without namespace
   */
  HostedContainer(Pod pod, Container container, String log, HostContext context) {
    var meta = pod.getMetadata();
    var settings = context.settings();
    this.pod = pod;
    this.container = container;
    this.context = context;
    this.folder = settings.container(meta.getUid(), container.getName());
    this.log = settings.log(meta.getNamespace(), log);
    this.process = new ContainerProcess(folder.resolve("process"), this.log);
    var reported = PodApi.status(pod, container.getName());
    this.restarts = reported.map(ContainerStatus::getRestartCount).orElse(0);
    this.lastEnd = reported.map(ContainerStatus::getLastState);
  }

  Container container() {
    return container;
  }

  String name() {
    return container.getName();
  }

  /** How often it was started again, how it has ended last, and whether that is now. */
  ContainerStatus status() {
    return new ContainerStatusBuilder()
        .withName(name())
        .withRestartCount(restarts)
        .withState(ended ? CRASH_LOOP : null)
        .withLastState(lastEnd.orElse(null))
        .build();
  }

  boolean wasStarted() {
    return process.wasStarted();
  }

  boolean isRunning() throws IOException {
    return process.isRunning();
  }

  /** Of what was started; empty while it runs. */
  Optional<Integer> exitCode() throws IOException {
    return process.exitCode();
  }

  /** How what was started has ended, with its last words. */
  ContainerStateTerminated end(int code) throws IOException {
    var now = Instant.now();
    return new ContainerStateTerminatedBuilder()
        .withExitCode(code)
        .withReason(code == 0 ? "Completed" : "Error")
        .withMessage(new LastWords(message(), log).of(container, code))
        .withStartedAt(PodApi.text(wasStarted() ? process.started() : now))
        .withFinishedAt(PodApi.text(now))
        .build();
  }

  /** Starts it again when it has ended, after a pause that grows while it does not stay. */
  void keepRunning() throws IOException {
    if (isRunning()) {
      return;
    }
    var now = Instant.now();
    if (process.wasStarted() && !ended) {
      ended = true;
      var code = process.exitCode();
      lastEnd = code.isEmpty() ? lastEnd : Optional.of(state(end(code.get())));
      delay = now.isAfter(started.plus(LONGEST_RESTART_DELAY)) ? RESTART_DELAY : longer(delay);
    }
    if (now.isAfter(started.plus(delay))) {
      restarts += ended ? 1 : 0;
      ended = false;
      started = now;
      start();
    }
  }

  private static Duration longer(Duration delay) {
    var longer = delay.multipliedBy(2);
    return longer.compareTo(LONGEST_RESTART_DELAY) < 0 ? longer : LONGEST_RESTART_DELAY;
  }

  private static ContainerState state(ContainerStateTerminated end) {
    return new ContainerStateBuilder().withTerminated(end).build();
  }

  void start() throws IOException {
    Files.deleteIfExists(message());
    variables = Optional.of(currentVariables());
    var mounts = mounts();
    var command = ContainerCommand.of(container, variables()).arguments().stream();
    process.start(
        inside(mounts, command.map(this::withOwnAddress).toList()), variables(), directory());
    LOG.atInfo()
        .addKeyValue("pod", pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName())
        .addKeyValue("container", name())
        .addKeyValue("restarts", restarts)
        .log("starting command");
  }

  /** What has ended was never started. */
  void forget() throws IOException {
    new PodFolder(folder.resolve("process")).remove();
  }

  /** Runs its {@code preStop} and stops it, all within this time. */
  void stop(Duration grace) throws InterruptedException, IOException {
    if (isRunning()) {
      process.stop(grace.isZero() ? grace : afterPreStop(grace));
    }
  }

  /** Returns what remains of the grace period. */
  private Duration afterPreStop(Duration grace) throws InterruptedException, IOException {
    var command = PreStopHook.command(container);
    return command.isEmpty()
        ? grace
        : new PreStopHook(pod.getMetadata().getName(), join(command), variables(), log).run(grace);
  }

  /** Writes the current files of its ConfigMaps and Secrets. */
  MountedVolumes mounts() throws IOException {
    return MountedVolumes.of(pod, container, context.client(), context.settings());
  }

  /** The path on this machine of one in the container. */
  Path local(Path path) {
    try {
      return Path.of(mounts().toLocalPath(path.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException("mount the volumes of " + name(), e);
    }
  }

  /** All variables with which it was started. Any thread may ask. */
  Map<String, String> variables() {
    if (variables.isEmpty()) { // started by an earlier simulator
      variables = Optional.of(currentVariables());
    }
    return variables.get();
  }

  /** The command that runs this one in the container, while that runs. Any thread may ask. */
  List<String> join(List<String> command) {
    if (context.settings().roots()) {
      return ContainerRoot.join(process.first().orElseThrow(this::runsNot), command);
    }
    try {
      var mounts = mounts();
      return command.stream().map(mounts::toLocalPath).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("mount the volumes of " + name(), e);
    }
  }

  /** The command that runs this one in a container like this. */
  List<String> inside(List<String> command) {
    try {
      return inside(mounts(), command);
    } catch (IOException e) {
      throw new UncheckedIOException("mount the volumes of " + name(), e);
    }
  }

  private List<String> inside(MountedVolumes mounts, List<String> command) throws IOException {
    var said = Optional.ofNullable(container.getTerminationMessagePath()).orElse(MESSAGE);
    Files.createDirectories(folder);
    if (!context.settings().roots()) {
      return command.stream()
          .map(mounts::toLocalPath)
          .map(argument -> argument.replace(said, message().toString()))
          .toList();
    }
    var uid = pod.getMetadata().getUid();
    var root =
        new ContainerRoot(
            context.settings().folder(),
            Files.createDirectories(folder.resolve("root")),
            context.settings().hosts(uid),
            message());
    var begin =
        new ContainerRoot.Settings(
            said, pod.getMetadata().getName(), directory().toString(), mounts.folders());
    return root.enter(begin, command);
  }

  private Map<String, String> currentVariables() {
    Map<String, String> all = new TreeMap<>(System.getenv());
    all.keySet().retainAll(KEPT);
    all.put("PATH", context.settings().searchPath(container.getImage()));
    all.put("HOME", context.settings().run(pod.getMetadata().getUid()).toString());
    all.put("HOSTNAME", pod.getMetadata().getName());
    ContainerEnvironment.of(pod, container, context.client())
        .variables()
        .forEach((name, value) -> all.put(name, withOwnAddress(value)));
    return Map.copyOf(all);
  }

  private String withOwnAddress(String text) {
    return JobPods.isOne(pod)
        ? text // it serves nobody, and may look for a server of this machine
        : OWN_ADDRESS
            .matcher(text)
            .replaceAll(Matcher.quoteReplacement(pod.getStatus().getPodIP()));
  }

  private Path directory() {
    return context.settings().roots() && container.getWorkingDir() != null
        ? Path.of(container.getWorkingDir())
        : context.settings().run(pod.getMetadata().getUid());
  }

  private Path message() {
    return folder.resolve("message");
  }

  private RuntimeException runsNot() {
    return Status.UNAVAILABLE
        .withDescription("the container %s does not run".formatted(name()))
        .asRuntimeException();
  }
}
