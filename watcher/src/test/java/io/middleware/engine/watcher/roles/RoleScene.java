package io.middleware.engine.watcher.roles;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.group;
import static io.middleware.engine.watcher.Objects.pod;
import static io.middleware.engine.watcher.Objects.running;
import static io.middleware.engine.watcher.Objects.status;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupStatusBuilder;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Node;
import io.middleware.engine.api.RunState;
import io.middleware.engine.watcher.health.EndpointService;
import io.middleware.engine.watcher.health.HeardRole;
import io.middleware.engine.watcher.health.KnownRoles;
import io.middleware.engine.watcher.roles.RoleClient.ReportedRole;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One group, whose agents say what the test wants, and time that passes when it says so. */
final class RoleScene implements AutoCloseable {
  static final App IDLE = app(1, status(1L, 1L, change(1, "Succeeded")));
  static final App CHANGING = app(2, status(1L, 2L, running(2, "2-config-nodes")));
  static final ResourceID ID = new ResourceID("cache", "shop");

  /** What the agent at each address says; whoever is not in it does not answer. */
  final Map<String, String> agents = new HashMap<>();

  /** What keeps the pod at each address from what its role promises. */
  final Map<String, String> troubles = new HashMap<>();

  final List<String> asked = new ArrayList<>();
  final List<ResourceID> news = new ArrayList<>();
  App app = IDLE;
  AgentEndpoint endpoint = new AgentEndpoint(9090, "");
  List<InventoryItem> inventory = List.of();
  List<EndpointService> services = List.of();
  private long now;

  private final RolePollQueue queue = new RolePollQueue(() -> now);

  final RoleTracker roles =
      new RoleTracker(
          pod -> {
            var agent = pod.address();
            asked.add(agent.getHostString() + ":" + agent.getPort());
            return Optional.ofNullable(agents.get(agent.getHostString()))
                .map(
                    role ->
                        new ReportedRole(role, troubles.getOrDefault(agent.getHostString(), "")));
          },
          this::open,
          plugin -> endpoint,
          news::add,
          queue);

  final Group group = group("nodes", "shard-0", 3, RunState.RUNNING);

  /** The streams to agents that have them, by address. */
  final Map<String, RoleStreams.Listener> streams = new HashMap<>();

  /** Whether agents have streams. */
  boolean streaming;

  /** What happens while a stream is being opened. */
  Runnable whileOpening = () -> {};

  private Optional<RoleStreams.Stream> open(
      RoleClient.AskedPod pod, RoleStreams.Listener listener) {
    if (!streaming) {
      return Optional.empty();
    }
    whileOpening.run();
    streams.put(pod.ip(), listener);
    return Optional.of(() -> streams.remove(pod.ip()));
  }

  /** The agent at this address says so by its stream. */
  void says(String ip, String role, long term) {
    agents.put(ip, role);
    streams.get(ip).said(Optional.of(new ReportedRole(role, "", term)));
  }

  HeardRole claim(int number, Pod... pods) {
    return update(pods).claims().get("uid-p" + number);
  }

  @Override
  public void close() {
    roles.close();
  }

  void settled() {
    agents.putAll(Map.of("10.0.0.0", "primary", "10.0.0.1", "replica", "10.0.0.2", "replica"));
    observe(ready(0), ready(1), ready(2));
    pass(Duration.ofSeconds(60));
  }

  Map<String, String> observe(Pod... pods) {
    return update(pods).byPod();
  }

  KnownRoles update(Pod... pods) {
    return roles.update(app, List.of(group), List.of(pods), services);
  }

  /** The last of the engine's switchovers since which the agents were asked. */
  String observedSwitchover(Pod... pods) {
    return update(pods).byGroup().get(group.getMetadata().getUid()).observedSwitchover();
  }

  /** How long roles have been seen that cannot be. */
  Optional<Duration> inconsistentFor(Pod... pods) {
    return update(pods).byGroup().get(group.getMetadata().getUid()).inconsistentFor();
  }

  /** The engine says so. */
  void switchedOver(String switchover) {
    group.getMetadata().setAnnotations(Map.of(Labels.SWITCHED_OVER, switchover));
  }

  void pass(Duration time) {
    var end = now + time.toNanos();
    for (; now - end < 0; now += Duration.ofMillis(50).toNanos()) {
      pollDue();
    }
  }

  /** Polls all pods that are due. */
  void pollDue() {
    for (var pod = queue.pods.poll(); pod != null; pod = queue.pods.poll()) {
      roles.pollSafely(pod);
    }
  }

  void show(String... roles) {
    var nodes = new ArrayList<Node>();
    for (int i = 0; i < roles.length; i++) {
      nodes.add(new Node("p" + i, "10.0.0." + i, roles[i], "r1", true));
    }
    group.setStatus(
        GroupStatusBuilder.builder()
            .observedGeneration(1L)
            .nodes(nodes)
            .inventory(inventory)
            .conditions(List.of())
            .build());
  }

  static Pod ready(int number) {
    return io.middleware.engine.watcher.Objects.ready(builder(number));
  }

  static PodBuilder builder(int number) {
    return pod("nodes", "shard-0", "p" + number)
        .editStatus()
        .withPodIP("10.0.0." + number)
        .endStatus();
  }
}
