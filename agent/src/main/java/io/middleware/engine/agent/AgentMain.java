package io.middleware.engine.agent;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.middleware.engine.agent.local.LocalProcess;
import io.middleware.engine.agent.server.TlsFiles;
import io.middleware.engine.agent.server.Transport;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the agent; SIGTERM ends it. */
public final class AgentMain {
  private static final Logger LOG = LoggerFactory.getLogger(AgentMain.class);
  private static final int BAD_SETTINGS = 2;

  private AgentMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    var settings = valid(() -> AgentSettings.from(System.getenv()));
    var files = valid(() -> settings.tls().map(TlsFiles::in));
    var process = start(settings, files.map(Transport::new).orElseGet(Transport::new));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process), "shutdown"));
    new CountDownLatch(1).await();
  }

  private static <T> T valid(Supplier<T> settings) {
    try {
      return settings.get();
    } catch (IllegalArgumentException e) {
      LOG.error("{}", e.getMessage());
      System.exit(BAD_SETTINGS);
      throw e;
    }
  }

  private static Process start(AgentSettings settings, Transport transport) throws IOException {
    LOG.atInfo().addKeyValue("settings", settings).log("agent starts");
    return switch (settings) {
      case AgentSettings.Local local ->
          LocalProcess.start(
                  new KubernetesClientBuilder().build(),
                  transport,
                  local.port(),
                  local.namespaces(),
                  local.host())
              ::close;
      case AgentSettings.Sidecar sidecar -> SidecarProcess.start(sidecar, transport)::close;
      case AgentSettings.Redis redis -> RedisSidecar.start(redis, transport)::close;
      case AgentSettings.Sentinel sentinel -> RedisSidecar.start(sentinel, transport)::close;
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
