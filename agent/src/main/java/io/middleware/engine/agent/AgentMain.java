package io.middleware.engine.agent;

import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.server.SharedTransport;
import io.middleware.engine.agent.server.TlsFiles;
import io.middleware.engine.log.ProcessLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the agent of one pod, which SIGTERM ends; or restores a backup, or copies it, and ends.
 */
public final class AgentMain {
  private static final Logger LOG = LoggerFactory.getLogger(AgentMain.class);

  private static final Path TERMINATION_MESSAGE = Path.of("/dev/termination-log");

  private AgentMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    ProcessLog.begin();
    var env = new EnvironmentVariables(System.getenv());
    if (args.length > 0) {
      System.exit(install(EnvironmentVariables.validOrExit(() -> Installation.requested(args))));
    }
    if (StartRestore.isAskedFor(env)) {
      System.exit(restore(EnvironmentVariables.validOrExit(() -> StartRestore.from(env))));
    }
    var settings = EnvironmentVariables.validOrExit(() -> SidecarSettings.from(env));
    var files = EnvironmentVariables.validOrExit(() -> settings.tls().map(TlsFiles::in));
    var process = start(settings, files.map(SharedTransport::new).orElseGet(SharedTransport::new));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process), "shutdown"));
    new CountDownLatch(1).await();
  }

  /** Returns the exit code. */
  private static int install(Installation installation) {
    try {
      LOG.info("{}", installation.run());
      return 0;
    } catch (IOException e) {
      var why =
          "cannot install the agent into %s: %s: is a volume mounted there that this user may write, with 150 MiB free?"
              .formatted(installation.folder(), e);
      LOG.error("{}", why);
      tellKubelet(why);
      return 1;
    }
  }

  /** Returns the exit code. */
  private static int restore(StartRestore settings) {
    try {
      LOG.atInfo().addKeyValue("settings", settings).log("restore starts");
      LOG.info("{}", settings.restore());
      return 0;
    } catch (StatusRuntimeException e) {
      LOG.error("{}", e.getStatus().getDescription());
      tellKubelet(String.valueOf(e.getStatus().getDescription()));
      return 1;
    }
  }

  /** Why a container has ended, as the status of its pod shows. */
  private static void tellKubelet(String why) {
    try {
      if (Files.isWritable(TERMINATION_MESSAGE)) {
        Files.writeString(TERMINATION_MESSAGE, why);
      }
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("cannot write the termination message");
    }
  }

  private static Process start(SidecarSettings settings, SharedTransport transport)
      throws IOException {
    LOG.atInfo().addKeyValue("settings", settings).log("agent starts");
    return switch (settings) {
      case SidecarSettings.Fixed fixed -> FixedSidecar.start(fixed, transport)::close;
      case SidecarSettings.Commands commands -> CommandSidecar.start(commands, transport)::close;
      case SidecarSettings.Redis redis -> RedisSidecar.start(redis, transport)::close;
      case SidecarSettings.Sentinel sentinel -> RedisSidecar.start(sentinel, transport)::close;
    };
  }

  private static void stop(Process process) {
    process.close();
    LOG.info("agent stopped");
  }

  private interface Process {
    void close();
  }
}
