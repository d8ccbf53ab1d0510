package io.middleware.engine.simulator.host;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ExecAction;
import io.fabric8.kubernetes.api.model.Lifecycle;
import io.fabric8.kubernetes.api.model.LifecycleHandler;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command that a container runs before it is asked to end. As by a kubelet, its time counts in
 * the grace period of the pod, and its failure changes nothing.
 *
 * @param command empty: none
 * @param variables of the container
 * @param log file for the output
 */
record PreStopHook(String pod, List<String> command, Map<String, String> variables, Path log) {
  private static final Logger LOG = LoggerFactory.getLogger(PreStopHook.class);

  /** What a kubelet leaves to the container after a hook that has used up the grace period. */
  private static final Duration LEAST_REMAINDER = Duration.ofSeconds(2);

  PreStopHook {
    command = List.copyOf(command);
    variables = Map.copyOf(variables);
  }

  /** The command of a container. */
  static List<String> command(Container container) {
    return Optional.ofNullable(container.getLifecycle())
        .map(Lifecycle::getPreStop)
        .map(LifecycleHandler::getExec)
        .map(ExecAction::getCommand)
        .orElse(List.of());
  }

  /** Returns what remains of the grace period. */
  Duration run(Duration grace) throws InterruptedException {
    if (command.isEmpty() || grace.isZero()) {
      return grace;
    }
    var begun = Instant.now();
    try {
      var outcome = outcome(grace);
      LOG.atInfo().addKeyValue("pod", pod).addKeyValue("outcome", outcome).log("preStop ended");
    } catch (IOException e) {
      LOG.atWarn().addKeyValue("pod", pod).addKeyValue("cause", e).log("preStop did not start");
    }
    var remainder = grace.minus(Duration.between(begun, Instant.now()));
    return remainder.compareTo(LEAST_REMAINDER) < 0 ? LEAST_REMAINDER : remainder;
  }

  private String outcome(Duration grace) throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(Stream.concat(Stream.of("env"), command.stream()).toList()) // its PATH
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(variables);
    var process = builder.start();
    if (process.waitFor(grace.toMillis(), MILLISECONDS)) {
      return "exit code " + process.exitValue();
    }
    var children = process.descendants().toList();
    process.destroyForcibly(); // first: it would go on with its next command
    children.forEach(ProcessHandle::destroyForcibly);
    return "killed after " + grace;
  }
}
