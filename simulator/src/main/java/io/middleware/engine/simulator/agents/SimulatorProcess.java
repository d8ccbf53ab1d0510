package io.middleware.engine.simulator.agents;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.agent.server.AgentAnswers;
import io.middleware.engine.agent.server.SharedTransport;
import io.middleware.engine.simulator.host.HostSettings;
import io.middleware.engine.simulator.host.JobPods;
import io.middleware.engine.simulator.host.PodHost;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The simulated agents of all pods of a cluster. */
public final class SimulatorProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SimulatorProcess.class);

  private final SharedTransport transport;
  private final KubernetesClient client;
  private final PodWatch watch;
  private final SimulatedAgents agents;
  private final Optional<PodHost> host;
  private final Optional<JobPods> jobs;

  private SimulatorProcess(
      KubernetesClient client,
      SharedTransport transport,
      int port,
      List<String> namespaces,
      Optional<HostSettings> settings) {
    this.client = client;
    this.transport = transport;
    this.watch = new PodWatch(client, namespaces);
    this.host = settings.map(host -> new PodHost(client, host));
    this.jobs = host.map(one -> new JobPods(client, one, namespaces));
    this.agents = new SimulatedAgents(transport, port, this::podsOf, this::answers, this::annotate);
  }

  /**
   * Watches the given namespaces, or all when none is given. Closes client and transport when it is
   * closed. With host settings, pods that ask for a real process get one.
   */
  public static SimulatorProcess start(
      KubernetesClient client,
      SharedTransport transport,
      int port,
      List<String> namespaces,
      Optional<HostSettings> host) {
    var process = new SimulatorProcess(client, transport, port, namespaces, host);
    process.watch.start(process.agents::changed);
    process.jobs.ifPresent(JobPods::start);
    return process;
  }

  /** Reports the same pods to the host first, because the host decides who answers for a pod. */
  private List<SimulatedPod> podsOf(GroupKey key) {
    var pods = watch.allOf(key);
    host.ifPresent(one -> one.changed(key.toString(), pods));
    return pods.stream().map(SimulatedPod::of).toList();
  }

  private Optional<AgentAnswers> answers(String uid) {
    return host.flatMap(pods -> pods.answers(uid));
  }

  /** Best effort: the action is done without the annotation too. */
  private void annotate(PodAnnotation annotation) {
    try {
      client
          .pods()
          .inNamespace(annotation.namespace())
          .withName(annotation.pod())
          .patch(PatchContext.of(PatchType.JSON_MERGE), patch(annotation));
    } catch (KubernetesClientException e) {
      LOG.atWarn().addKeyValue("annotation", annotation).setCause(e).log("cannot annotate the pod");
    }
  }

  private String patch(PodAnnotation annotation) {
    var annotations = Map.of(annotation.key(), annotation.value());
    return client
        .getKubernetesSerialization()
        .asJson(Map.of("metadata", Map.of("annotations", annotations)));
  }

  @Override
  public void close() {
    watch.close();
    agents.close();
    jobs.ifPresent(JobPods::close);
    host.ifPresent(PodHost::close);
    transport.close();
    client.close();
  }
}
