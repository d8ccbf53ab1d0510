package io.middleware.engine.simulator.host;

import static io.middleware.engine.simulator.host.ContainerCommand.environment;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.agent.EnvironmentVariables;
import io.middleware.engine.agent.command.CommandPlace;
import io.middleware.engine.agent.command.CommandRestore;
import io.middleware.engine.simulator.host.HostedPod.HostContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The init containers of one pod, one after the other. One of the agent's is played by this
 * process; one without a command has nothing to do, as no image runs here.
 */
final class InitContainers {
  private final List<InitContainer> all = new ArrayList<>();
  private final List<HostedContainer> commands = new ArrayList<>();
  private boolean done;

  /**
   * @param withCommands whether those with commands are run as well, and not only a restore of
   *     Redis
   * @param done whether the containers have been started already
   */
  InitContainers(
      Pod pod, HostedPeers peers, HostContext context, boolean withCommands, boolean done) {
    this.done = done;
    var name = pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    for (var one : pod.getSpec().getInitContainers()) {
      step(pod, one, peers, context, withCommands)
          .ifPresent(step -> all.add(new InitContainer(name, one, step)));
    }
  }

  private Optional<InitContainer.Step> step(
      Pod pod, Container one, HostedPeers peers, HostContext context, boolean withCommands) {
    var mode = environment(pod, one).getOrDefault("AGENT_MODE", "");
    if (mode.equals("restore")) {
      var restore = new HostedRestore(pod, one, peers, context);
      return Optional.of(() -> Optional.of(restore.run()));
    } else if (!withCommands) {
      return Optional.empty();
    }
    var hosted = new HostedContainer(pod, one, pod.getMetadata().getName(), context);
    if (mode.equals("restore-commands")) {
      return Optional.of(() -> Optional.of(restored(pod, hosted, context)));
    } else if (one.getCommand().isEmpty()) {
      return Optional.of(
          () -> Optional.of("no image runs here: nothing to do in " + one.getName()));
    }
    commands.add(hosted);
    return Optional.of(() -> ended(hosted));
  }

  private static String restored(Pod pod, HostedContainer hosted, HostContext context) {
    var env = new EnvironmentVariables(environment(pod, hosted.container()));
    return new CommandRestore(
            hosted.local(
                Path.of(env.required("AGENT_ACTIONS_FOLDER", "the folder with the commands"))),
            new HostedStore(pod, hosted.container(), context.client(), context.settings()),
            hosted.local(Path.of(env.required("RESTORE_FILE", "the file that names the backup"))),
            CommandPlace.inside(hosted::variables, hosted::inside, pod.getStatus().getPodIP()))
        .run();
  }

  private static Optional<String> ended(HostedContainer hosted) throws IOException {
    if (!hosted.wasStarted()) {
      hosted.start();
    }
    var code = hosted.exitCode();
    if (code.isPresent() && code.get() != 0) {
      var words = hosted.end(code.get()).getMessage();
      hosted.forget();
      throw new IllegalStateException("exit code %d: %s".formatted(code.get(), words));
    }
    return code.map(zero -> hosted.name() + " ended");
  }

  /** Runs what is next when it is time. Returns whether the containers may start. */
  boolean run() {
    done = done || all.stream().allMatch(InitContainer::run);
    return done;
  }

  boolean areReportedBy(Pod pod) {
    return all.stream().allMatch(one -> one.isReportedBy(pod));
  }

  /** Of each that was run; none when none was. */
  List<ContainerStatus> statuses() {
    return all.stream().map(InitContainer::status).flatMap(Optional::stream).toList();
  }

  void stop(Duration grace) throws InterruptedException, IOException {
    for (var one : commands) {
      one.stop(grace);
    }
  }
}
