package io.middleware.engine.watcher.roles;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.AgentsByPlugin;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Endpoint;
import io.middleware.engine.api.plugin.EndpointRole;
import io.middleware.engine.watcher.health.AppObservation;
import io.middleware.engine.watcher.health.EndpointService;
import io.middleware.engine.watcher.health.HeardRole;
import io.middleware.engine.watcher.health.KnownRoles;
import io.middleware.engine.watcher.health.PodHealth;
import io.middleware.engine.watcher.health.RoleState;
import io.middleware.engine.watcher.roles.GroupRoles.ReadyPod;
import io.middleware.engine.watcher.roles.RoleClient.ReportedRole;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the last known roles of all ready pods: agents say them by streams, and are polled where
 * they do not. A reconciliation never waits for an agent: polls run in the background, a few at a
 * time, and a changed role triggers a reconciliation of its App. A pod that is not ready has no
 * role; an agent that does not answer changes no role.
 */
public final class RoleTracker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RoleTracker.class);

  /** Concurrent polls; an agent that hangs occupies one of them until the deadline of its call. */
  private static final int CONCURRENT_POLLS = 16;

  private final RoleClient client;
  private final RoleStreams streams;
  private final AgentEndpoints endpoints;
  private final Consumer<ResourceID> roleChanged;
  private final RolePollQueue queue;
  private final Map<ResourceID, List<GroupRoles>> apps = new ConcurrentHashMap<>();
  private final ExecutorService pollers =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("roles-", 0).factory());

  /**
   * @param roleChanged called with the App of a pod whose role has changed
   */
  public RoleTracker(
      GrpcRoleClient client, PluginEndpoints endpoints, Consumer<ResourceID> roleChanged) {
    this(client, client.streams(), endpoints, roleChanged, new RolePollQueue(System::nanoTime));
  }

  RoleTracker(
      RoleClient client,
      RoleStreams streams,
      AgentEndpoints endpoints,
      Consumer<ResourceID> roleChanged,
      RolePollQueue queue) {
    this.client = client;
    this.streams = streams;
    this.endpoints = endpoints;
    this.roleChanged = roleChanged;
    this.queue = queue;
  }

  /** Starts polling. */
  public void start() {
    for (int i = 0; i < CONCURRENT_POLLS; i++) {
      pollers.submit(this::pollUntilClosed);
    }
  }

  /**
   * Updates the pods to poll of an observed App; calls for one App must not overlap.
   *
   * @param services for the applications that use it: a group with one for its primary should have
   *     a primary
   * @return what is known
   */
  public KnownRoles update(
      App app, List<Group> groups, List<Pod> pods, List<EndpointService> services) {
    var changing = AppObservation.isChanging(app);
    var id = ResourceID.fromResource(app);
    var before = apps.getOrDefault(id, List.of());
    var after = new ArrayList<GroupRoles>(groups.size());
    Map<String, String> roles = new HashMap<>();
    Map<String, HeardRole> claims = new HashMap<>();
    Map<String, RoleState> states = new HashMap<>();
    for (Group group : groups) {
      var known = find(before, group).orElseGet(() -> new GroupRoles(id, uid(group), queue));
      var primary = primary(services, group);
      primary.ifPresent(it -> known.expectPrimary());
      update(known, group, readyOf(group, pods), changing);
      after.add(known);
      known.collect(roles);
      known.collectClaims(claims);
      var state = known.state();
      states.put(known.uid, primary.map(it -> state.within(it.failover())).orElse(state));
    }
    before.stream().filter(group -> !after.contains(group)).forEach(GroupRoles::stopPolling);
    if (after.isEmpty()) {
      apps.remove(id);
    } else {
      apps.put(id, List.copyOf(after));
    }
    return new KnownRoles(roles, states, claims);
  }

  /** Stops polling the pods of a deleted App. */
  public void forget(ResourceID app) {
    apps.getOrDefault(app, List.of()).forEach(GroupRoles::stopPolling);
    apps.remove(app);
  }

  @Override
  public void close() {
    pollers.shutdownNow();
  }

  private static Optional<Endpoint> primary(List<EndpointService> services, Group group) {
    return services.stream()
        .filter(service -> service.isOf(group))
        .map(EndpointService::endpoint)
        .filter(endpoint -> endpoint.role() == EndpointRole.PRIMARY)
        .max(Comparator.comparing(Endpoint::failover));
  }

  private static Optional<GroupRoles> find(List<GroupRoles> known, Group group) {
    return known.stream().filter(before -> before.uid.equals(uid(group))).findFirst();
  }

  private static String uid(Group group) {
    return group.getMetadata().getUid();
  }

  private void update(GroupRoles roles, Group group, List<Pod> ready, boolean changing) {
    var recorded = AgentsByPlugin.of(group);
    var asked =
        ready.stream()
            .map(pod -> new ReadyPod(pod, endpoint(group, recorded, pod)))
            .filter(pod -> pod.agents().exists())
            .toList();
    roles.update(asked, group, changing);
  }

  /** A pod is asked as its own Plugin says: during a change there are pods of two. */
  private AgentEndpoint endpoint(Group group, AgentsByPlugin recorded, Pod pod) {
    var label = pod.getMetadata().getLabels().get(Labels.PLUGIN);
    var plugin = group.getSpec() == null ? null : group.getSpec().plugin();
    if (label == null && plugin == null) {
      return AgentEndpoint.NONE;
    }
    var name = label != null ? label : Labels.pluginName(plugin.name(), plugin.version());
    return recorded
        .find(name)
        .map(agents -> new AgentEndpoint(agents.port(), agents.tlsSecret()))
        .orElseGet(() -> endpoints.of(name));
  }

  private static List<Pod> readyOf(Group group, List<Pod> pods) {
    return pods.stream()
        .filter(pod -> isSame(Labels.COMPONENT, pod, group) && isSame(Labels.GROUP, pod, group))
        .filter(pod -> pod.getStatus().getPodIP() != null)
        .map(pod -> new PodHealth(pod, null))
        .filter(pod -> pod.isNodeOf(group) && pod.isReady())
        .map(PodHealth::pod)
        .toList();
  }

  private static boolean isSame(String label, Pod pod, Group group) {
    return Objects.equals(
        pod.getMetadata().getLabels().get(label), group.getMetadata().getLabels().get(label));
  }

  private void pollUntilClosed() {
    try {
      while (true) {
        pollSafely(queue.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A failure of one pod must not stop the polls of the others. */
  void pollSafely(PodRole pod) {
    try {
      poll(pod);
    } catch (RuntimeException e) {
      LOG.atError()
          .setCause(e)
          .addKeyValue("namespace", pod.group.app.getNamespace().orElse(""))
          .addKeyValue("app", pod.group.app.getName())
          .log("cannot ask the agent at {} for its role", pod.ip);
      pod.group.endPoll(pod, queue.now(), Optional.empty());
    }
  }

  private void poll(PodRole pod) {
    var group = pod.group;
    if (group.skipsPoll(pod)) {
      return;
    }
    var polledAt = group.beginPoll(pod);
    var answer = client.roleOf(pod.asked());
    if (group.endPoll(pod, polledAt, answer)) {
      roleChanged.accept(group.app);
    }
    stream(pod, new Sayings(pod));
  }

  /** Without the lock of the group: a Secret may be read for it. */
  private void stream(PodRole pod, Sayings sayings) {
    if (pod.group.beginsStream(pod, sayings)) {
      var opened = Optional.<RoleStreams.Stream>empty();
      try {
        opened = streams.open(pod.asked(), sayings);
      } finally {
        pod.group.keepStream(pod, sayings, opened);
      }
    }
  }

  /** What one pod says by itself. */
  private final class Sayings implements RoleStreams.Listener {
    private final PodRole pod;

    Sayings(PodRole pod) {
      this.pod = pod;
    }

    @Override
    public void said(Optional<ReportedRole> role) {
      if (pod.group.said(pod, this, role)) {
        roleChanged.accept(pod.group.app);
      }
    }

    @Override
    public void ended(boolean unsupported) {
      pod.group.streamEnded(pod, this, unsupported);
    }
  }
}
