package io.middleware.engine.worker;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.activities.agents.AgentActions;
import io.middleware.engine.activities.agents.AgentChannels;
import io.middleware.engine.activities.agents.AgentPolicy;
import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.agents.GrpcOrderingActivities;
import io.middleware.engine.activities.agents.PodOrders;
import io.middleware.engine.activities.agents.PodReloads;
import io.middleware.engine.activities.kubernetes.ImpersonatedClients;
import io.middleware.engine.activities.kubernetes.InformerView;
import io.middleware.engine.activities.kubernetes.Plugins;
import io.middleware.engine.activities.kubernetes.Snapshots;
import io.middleware.engine.activities.plan.ClusterReader;
import io.middleware.engine.activities.plan.KubernetesPlanningActivities;
import io.middleware.engine.activities.plan.TaskPolicies;
import io.middleware.engine.activities.pods.KubernetesConfigurationActivities;
import io.middleware.engine.activities.pods.KubernetesPodActivities;
import io.middleware.engine.activities.render.GroupRenderer;
import io.middleware.engine.activities.resources.DesiredGroups;
import io.middleware.engine.activities.resources.GroupRendering;
import io.middleware.engine.activities.resources.KubernetesResourceActivities;
import io.middleware.engine.activities.status.EventRecorder;
import io.middleware.engine.activities.status.KubernetesStatusActivities;
import io.middleware.engine.activities.status.RunLock;
import io.middleware.engine.activities.status.TerminatedRuns;
import io.middleware.engine.activities.status.TransitionPublisher;
import io.middleware.engine.activities.volumes.KubernetesVolumeActivities;
import io.middleware.engine.api.json.LenientObjects;
import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.api.task.TaskPolicy;
import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.process.agents.TlsSecrets;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.Arrays;
import java.util.stream.Stream;

/** The ports' implementations, built from the settings. */
final class ActivityAssembly implements AutoCloseable {
  private final Clock clock = Clock.systemUTC();
  private final AgentChannels channels;
  private final Object[] brief;
  private final Object[] waiting;

  /**
   * @param view started
   */
  ActivityAssembly(
      EngineSettings settings,
      KubernetesClient client,
      LenientObjects objects,
      InformerView view,
      MeterRegistry meters) {
    var writers = new ImpersonatedClients(client, settings.defaultServiceAccount());
    var snapshots = new Snapshots(client);
    var plugins = new Plugins(client, settings.systemNamespace());
    var renderer = new GroupRenderer(plugins::template, settings.worker().pluginCache());
    var groups = new DesiredGroups(client, new GroupRendering(plugins, renderer));
    var events = new EventRecorder(client, ManagementFactory.getRuntimeMXBean().getName(), clock);
    var announcer = new TransitionPublisher(events, meters);
    var patience = patience(settings.agent());
    this.channels = new AgentChannels(TlsSecrets.in(client, settings.systemNamespace()));
    this.brief =
        new Object[] {
          new KubernetesPlanningActivities(
              client,
              new ClusterReader(client, settings.systemNamespace(), objects),
              renderer,
              writers,
              policies(settings),
              new RunLock(client, new TerminatedRuns(client, announcer, clock), clock)),
          new KubernetesResourceActivities(
              client, snapshots, writers, view, groups, new PodOrders(agents(patience)), events),
          new GrpcOrderingActivities(client, plugins, view, agents(patience)),
          new KubernetesStatusActivities(client, announcer, clock)
        };
    this.waiting =
        new Object[] {
          new KubernetesPodActivities(
              client,
              plugins,
              snapshots,
              writers,
              view,
              agents(patience),
              new AgentActions(channels, patience.forActions()),
              events,
              meters),
          new KubernetesConfigurationActivities(client, plugins, view, reloads(patience), events),
          new KubernetesVolumeActivities(client, snapshots, writers, view, groups)
        };
  }

  private AgentQueries agents(AgentPolicy patience) {
    return new AgentQueries(channels, patience);
  }

  private PodReloads reloads(AgentPolicy patience) {
    return new PodReloads(agents(patience), new AgentActions(channels, patience.forActions()));
  }

  private static TaskPolicies policies(EngineSettings settings) {
    var tasks = settings.tasks();
    return new TaskPolicies(
        new TaskPolicy(tasks.timeout(), tasks.maxRetries(), tasks.retryBackoff()),
        new RollingPolicy(settings.rolling().batchSize(), settings.rolling().interval()));
  }

  private static AgentPolicy patience(EngineSettings.Agent agent) {
    return new AgentPolicy(agent.timeout(), agent.attempts(), agent.maxReplyBytes());
  }

  /** All of them: local activities run where the workflows do. */
  Object[] all() {
    return Stream.concat(Arrays.stream(brief), Arrays.stream(waiting)).toArray();
  }

  /** Those that wait. */
  Object[] waiting() {
    return waiting.clone();
  }

  @Override
  public void close() {
    channels.close();
  }
}
