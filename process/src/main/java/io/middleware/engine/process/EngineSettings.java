package io.middleware.engine.process;

import io.middleware.engine.process.settings.ListenAddress;
import io.middleware.engine.process.settings.ProcessArguments;
import io.middleware.engine.process.settings.Setting;
import io.middleware.engine.process.settings.SettingsException;
import io.middleware.engine.process.settings.SettingsReader;
import io.middleware.engine.process.settings.TextForm;
import java.time.Duration;
import java.util.List;

/** All settings of both processes; docs/reference/settings.md is generated from this record. */
public record EngineSettings(
    @Setting(
            value = "Namespaces whose Apps the engine serves; empty means all namespaces.",
            form = TextForm.NAMESPACE)
        List<String> namespaces,
    @Setting(
            value =
                "Name of this cluster among those that share the Temporal namespace, in the ids of"
                    + " workflows and the names of task queues; set it before the first change.",
            form = TextForm.OPTIONAL_CLUSTER)
        String cluster,
    @Setting(
            value = "Namespace of the Plugins, their templates and the watcher's lease.",
            fallback = "middleware-system",
            form = TextForm.NAMESPACE)
        String systemNamespace,
    @Setting(
            value =
                "Service account to impersonate for writes in the namespace of an App that names"
                    + " none; if empty, the engine writes with its own permissions.",
            form = TextForm.OPTIONAL_NAME)
        String defaultServiceAccount,
    @Setting(
            value =
                "Whether failed, skipped and cancelled tasks may be retried by annotation; retries"
                    + " through Temporal follow Temporal's own access rules.",
            fallback = "true")
        boolean manualRetry,
    @Setting(
            value =
                "Whether tasks and changes may be cancelled by annotation; cancels through Temporal"
                    + " follow Temporal's own access rules.",
            fallback = "true")
        boolean manualCancel,
    @Setting(
            value =
                "Longest time a process may take to stop; keep it below the pod's"
                    + " terminationGracePeriodSeconds.",
            fallback = "20s",
            min = "1s",
            max = "10m")
        Duration stopTimeout,
    @Setting(
            value =
                "Specs kept for each App, the newest of them; each is a ControllerRevision in the App's"
                    + " namespace.",
            fallback = "10",
            min = "2",
            max = "100")
        int keptSpecs,
    @Setting("The connection to Temporal.") TemporalSettings temporal,
    @Setting("Calls to the API server.") KubernetesSettings kubernetes,
    @Setting("Defaults of a task that neither the App nor the Plugin sets.") TaskDefaults tasks,
    @Setting("Defaults for replacing pods that the App does not set.") RollingDefaults rolling,
    @Setting("Calls to the agents in the pods.") AgentCallSettings agent,
    @Setting("Servers that checks may ask.") CheckSettings checks,
    @Setting("The process that observes the cluster.") WatcherSettings watcher,
    @Setting("The process that carries out changes.") WorkerSettings worker,
    @Setting("The levels of the log.") LogSettings log) {

  /**
   * Reads {@code --config FILE} or {@code ENGINE_CONFIG}, {@code ENGINE_*} and {@code --key value}.
   *
   * @throws SettingsException naming every key and value that is not valid
   */
  public static EngineSettings read(ProcessArguments arguments) {
    return SettingsReader.read(EngineSettings.class, arguments);
  }

  public record TemporalSettings(
      @Setting(
              value =
                  "Address of the Temporal frontend; if empty, TEMPORAL_ADDRESS or the profile's"
                      + " address, otherwise 127.0.0.1:7233.",
              form = TextForm.OPTIONAL_ADDRESS)
          String address,
      @Setting(
              "Temporal namespace; if empty, TEMPORAL_NAMESPACE or the profile's namespace,"
                  + " otherwise middleware.")
          String namespace,
      @Setting(
              "Profile in the Temporal client configuration file (TEMPORAL_CONFIG_FILE), with TLS"
                  + " and API key; if empty, TEMPORAL_PROFILE, otherwise only the TEMPORAL_*"
                  + " variables.")
          String profile) {}

  public record KubernetesSettings(
      @Setting(
              value = "Timeout of one call to the API server.",
              fallback = "10s",
              min = "1s",
              max = "5m")
          Duration apiTimeout,
      @Setting(
              value =
                  "Calls of one process that the API server has to answer at the same time; more"
                      + " wait in the process. Watches do not count.",
              fallback = "8",
              min = "1",
              max = "1000")
          int apiCalls) {}

  public record TaskDefaults(
      @Setting(
              value = "Total number of attempts of a task, the first included.",
              fallback = "3",
              min = "1",
              max = "100")
          int maxRetries,
      @Setting(
              value = "Pause before the second attempt; it doubles after each further failure.",
              fallback = "1s",
              min = "1ms",
              max = "1h")
          Duration retryBackoff,
      @Setting(
              value =
                  "How long a task may go on without one more pod that is done, all attempts together.",
              fallback = "300s",
              min = "1s",
              max = "24h")
          Duration timeout) {}

  public record RollingDefaults(
      @Setting(
              value = "Pods replaced at the same time, per Group.",
              fallback = "1",
              min = "1",
              max = "1000")
          int batchSize,
      @Setting(value = "Pause between two batches.", fallback = "0s", min = "0s", max = "24h")
          Duration interval) {}

  public record AgentCallSettings(
      @Setting(
              value = "Timeout of one call to an agent.",
              fallback = "5s",
              min = "10ms",
              max = "5m")
          Duration timeout,
      @Setting(
              value = "Minimum number of failed calls before agents count as unavailable.",
              fallback = "3",
              min = "1",
              max = "20")
          int attempts,
      @Setting(
              value =
                  "How long agents that give no order, for example during an election, are asked"
                      + " again before the Plugin's fallback order is followed.",
              fallback = "15s",
              min = "0s",
              max = "10m")
          Duration patience,
      @Setting(
              value = "Largest accepted reply, in bytes.",
              fallback = "262144",
              min = "1024",
              max = "4194304")
          int maxReplyBytes) {}

  public record WatcherSettings(
      @Setting(
              value = "Address that serves /healthz, /readyz and /metrics.",
              fallback = "0.0.0.0:8080")
          ListenAddress httpAddress,
      @Setting(
              value = "How often the watcher checks that an unfinished change still has a run.",
              fallback = "1m",
              min = "1s",
              max = "24h")
          Duration resync,
      @Setting(value = "Whether only the watcher that holds the lease acts.", fallback = "true")
          boolean leaderElection,
      @Setting(
              value = "How long the lease is valid after its last renewal.",
              fallback = "15s",
              min = "6s",
              max = "10m")
          Duration leaseDuration) {}

  public record WorkerSettings(
      @Setting(
              value = "Address that serves /healthz, /readyz and /metrics.",
              fallback = "0.0.0.0:8080")
          ListenAddress httpAddress,
      @Setting(
              value =
                  "Runs at work at the same time in one worker; with as many, no further change is"
                      + " planned. A run that waits, for pods or for people, does not count.",
              fallback = "16",
              min = "1",
              max = "10000")
          int changes,
      @Setting(
              value =
                  "Workflow tasks executed at the same time, of all Apps, Components and Groups.",
              fallback = "200",
              min = "2",
              max = "10000")
          int workflowTasks,
      @Setting(
              value =
                  "Short activities executed at the same time (plan, render, apply, ask, report).",
              fallback = "100",
              min = "1",
              max = "10000")
          int activities,
      @Setting(
              value = "Waiting activities executed at the same time (pods, convergence).",
              fallback = "1000",
              min = "1",
              max = "100000")
          int waits,
      @Setting(
              value =
                  "Agents' orders waited for at the same time; one Plugin may have a quarter of them.",
              fallback = "200",
              min = "4",
              max = "10000")
          int orders,
      @Setting(
              value =
                  "Steps of IntegrationTests and LoadTests executed at the same time. A test takes one,"
                      + " a parallel one up to 64. Further steps wait, and their time limits do not.",
              fallback = "200",
              min = "1",
              max = "10000")
          int tests,
      @Setting(
              value = "Changes whose background checks are carried out at the same time.",
              fallback = "1000",
              min = "1",
              max = "100000")
          int checks,
      @Setting(
              value = "Polls open at the same time, per task queue and kind of task.",
              fallback = "5",
              min = "2",
              max = "100")
          int pollers,
      @Setting(
              value = "Workflows cached in memory between their workflow tasks.",
              fallback = "600",
              min = "0",
              max = "100000")
          int workflowCache,
      @Setting(
              value = "How long a compiled Plugin is cached after its last use.",
              fallback = "10m",
              min = "0s",
              max = "24h")
          Duration pluginCache,
      @Setting(
              value =
                  "Temporal's worker deployment of which this worker is a version: a run stays with the version"
                      + " that began it. If empty, TEMPORAL_DEPLOYMENT_NAME; without either, any worker"
                      + " carries on any run.",
              form = TextForm.OPTIONAL_DEPLOYMENT)
          String deployment,
      @Setting(
              value =
                  "This worker's version in its deployment, needed with one; if empty,"
                      + " TEMPORAL_WORKER_BUILD_ID.",
              form = TextForm.OPTIONAL_WORD)
          String buildId) {}

  public record LogSettings(
      @Setting(value = "Lowest level of the engine's own log lines.", fallback = "INFO")
          LogLevel level,
      @Setting(value = "Lowest level of the libraries' log lines.", fallback = "WARN")
          LogLevel libraries) {}

  public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }
}
