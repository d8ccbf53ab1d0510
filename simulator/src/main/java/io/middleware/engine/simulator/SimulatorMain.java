package io.middleware.engine.simulator;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.middleware.engine.agent.EnvironmentVariables;
import io.middleware.engine.agent.server.SharedTransport;
import io.middleware.engine.agent.server.TlsFiles;
import io.middleware.engine.log.ProcessLog;
import io.middleware.engine.simulator.agents.SimulatorProcess;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the simulator; SIGTERM ends it. */
public final class SimulatorMain {
  private static final Logger LOG = LoggerFactory.getLogger(SimulatorMain.class);

  private SimulatorMain() {}

  public static void main(String[] args) throws InterruptedException {
    ProcessLog.begin();
    var env = new EnvironmentVariables(System.getenv());
    var settings = EnvironmentVariables.validOrExit(() -> SimulatorSettings.from(env));
    var files = EnvironmentVariables.validOrExit(() -> settings.tls().map(TlsFiles::in));
    LOG.atInfo().addKeyValue("settings", settings).log("simulator starts");
    var process =
        SimulatorProcess.start(
            new KubernetesClientBuilder().build(),
            files.map(SharedTransport::new).orElseGet(SharedTransport::new),
            settings.port(),
            settings.namespaces(),
            settings.host());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process), "shutdown"));
    new CountDownLatch(1).await();
  }

  private static void stop(SimulatorProcess process) {
    process.close();
    LOG.info("simulator stopped");
  }
}
