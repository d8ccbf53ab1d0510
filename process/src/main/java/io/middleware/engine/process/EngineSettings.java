package io.middleware.engine.process;

import io.middleware.engine.process.settings.ListenAddress;
import io.middleware.engine.process.settings.ProcessArguments;
import io.middleware.engine.process.settings.Setting;
import io.middleware.engine.process.settings.SettingsException;
import io.middleware.engine.process.settings.SettingsReader;
import io.middleware.engine.process.settings.TextForm;
import java.time.Duration;
import java.util.List;

/** Everything that can be set, for both processes; docs/reference/settings.md is made from it. */
public record EngineSettings(
    @Setting(
            value = "The namespaces whose Apps are served; none named: all.",
            form = TextForm.NAMESPACE)
        List<String> namespaces,
    @Setting(
            value = "Where Plugins, their templates and the watchers' lease live.",
            fallback = "middleware-system",
            form = TextForm.NAMESPACE)
        String systemNamespace,
    @Setting(
            value =
                "Service account impersonated for writes in an App's namespace when the App names"
                    + " none; empty: the engine writes with its own rights.",
            form = TextForm.OPTIONAL_NAME)
        String defaultServiceAccount,
    @Setting(
            value =
                "Whether failed, skipped and cancelled tasks may be retried by annotation; by"
                    + " Temporal they may be as its own access rules say.",
            fallback = "true")
        boolean manualRetry,
    @Setting(
            value =
                "Whether tasks and changes may be cancelled by annotation; by Temporal they may be"
                    + " as its own access rules say.",
            fallback = "true")
        boolean manualCancel,
    @Setting(
            value =
                "How long a process may take to stop; keep it below the pod's"
                    + " terminationGracePeriodSeconds.",
            fallback = "20s",
            min = "1s",
            max = "10m")
        Duration stopTimeout,
    @Setting("Where the workflows live.") Temporal temporal,
    @Setting("Calls to the API server.") Kubernetes kubernetes,
    @Setting("How a task is carried out when neither App nor Plugin says otherwise.") Tasks tasks,
    @Setting("How pods are replaced when the App does not say otherwise.") Rolling rolling,
    @Setting("Order and role calls to the agents in the pods.") Agent agent,
    @Setting("The process that observes the cluster.") Watcher watcher,
    @Setting("The process that carries changes out.") Worker worker,
    @Setting("What is written to the log.") Log log) {

  /**
   * Reads {@code --config FILE} or {@code ENGINE_CONFIG}, {@code ENGINE_*} and {@code --key value}.
   *
   * @throws SettingsException naming every wrong key and value
   */
  public static EngineSettings read(ProcessArguments started) {
    return SettingsReader.read(EngineSettings.class, started);
  }

  public record Temporal(
      @Setting(
              value =
                  "Address of the frontend; empty: what the profile or TEMPORAL_ADDRESS says, else"
                      + " 127.0.0.1:7233.",
              form = TextForm.OPTIONAL_ADDRESS)
          String address,
      @Setting(
              "Temporal namespace; empty: what the profile or TEMPORAL_NAMESPACE says, else"
                  + " middleware.")
          String namespace,
      @Setting(
              "Profile of the Temporal client configuration (TEMPORAL_CONFIG_FILE), with its TLS and"
                  + " API key; empty: TEMPORAL_PROFILE, else only the TEMPORAL_* variables.")
          String profile) {}

  public record Kubernetes(
      @Setting(value = "How long one call may take.", fallback = "10s", min = "1s", max = "5m")
          Duration apiTimeout) {}

  public record Tasks(
      @Setting(value = "Attempts of a task in all.", fallback = "3", min = "1", max = "100")
          int maxRetries,
      @Setting(
              value = "Pause before the second attempt; doubled after each further failure.",
              fallback = "1s",
              min = "1ms",
              max = "1h")
          Duration retryBackoff,
      @Setting(
              value = "Time a task may take, all its attempts together.",
              fallback = "300s",
              min = "1s",
              max = "24h")
          Duration timeout) {}

  public record Rolling(
      @Setting(value = "Pods in work at once, per group.", fallback = "1", min = "1", max = "1000")
          int batchSize,
      @Setting(value = "Rest between two batches.", fallback = "0s", min = "0s", max = "24h")
          Duration interval) {}

  public record Agent(
      @Setting(value = "Deadline of one call.", fallback = "5s", min = "10ms", max = "5m")
          Duration timeout,
      @Setting(
              value = "Calls made before an agent counts as unavailable.",
              fallback = "3",
              min = "1",
              max = "20")
          int attempts,
      @Setting(
              value = "Greatest reply accepted, in bytes.",
              fallback = "262144",
              min = "1024",
              max = "4194304")
          int maxReplyBytes) {}

  public record Watcher(
      @Setting(
              value = "Where /healthz, /readyz and /metrics are served.",
              fallback = "0.0.0.0:8080")
          ListenAddress httpAddress,
      @Setting(
              value = "How often Apps with a change under way are checked for a lost run.",
              fallback = "1m",
              min = "1s",
              max = "24h")
          Duration resync,
      @Setting(value = "Whether only the holder of the lease acts.", fallback = "true")
          boolean leaderElection,
      @Setting(
              value = "How long a lease holds after its last renewal.",
              fallback = "15s",
              min = "6s",
              max = "10m")
          Duration leaseDuration) {}

  public record Worker(
      @Setting(
              value = "Where /healthz, /readyz and /metrics are served.",
              fallback = "0.0.0.0:8080")
          ListenAddress httpAddress,
      @Setting(
              value =
                  "Decisions taken at once, of all Apps, Components and Groups (workflow tasks).",
              fallback = "200",
              min = "2",
              max = "10000")
          int workflowTasks,
      @Setting(
              value = "Short activities at once (plan, render, apply, ask, report).",
              fallback = "100",
              min = "1",
              max = "10000")
          int activities,
      @Setting(
              value = "Waiting activities at once (pods, convergence).",
              fallback = "1000",
              min = "1",
              max = "100000")
          int waits,
      @Setting(
              value = "Polls open at once, per task queue and kind.",
              fallback = "5",
              min = "2",
              max = "100")
          int pollers,
      @Setting(
              value = "Workflows kept in memory between their tasks.",
              fallback = "600",
              min = "0",
              max = "100000")
          int workflowCache,
      @Setting(
              value = "How long a compiled Plugin is kept after its last use.",
              fallback = "10m",
              min = "0s",
              max = "24h")
          Duration pluginCache) {}

  public record Log(
      @Setting(value = "Least level written of the engine's own lines.", fallback = "INFO")
          Level level,
      @Setting(value = "Least level written of the libraries' lines.", fallback = "WARN")
          Level libraries) {}

  public enum Level {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }
}
