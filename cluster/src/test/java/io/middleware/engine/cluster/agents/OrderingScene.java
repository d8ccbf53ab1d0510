package io.middleware.engine.cluster.agents;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.SampleObjects.set;

import io.middleware.engine.api.AgentsByPlugin.Agents;
import io.middleware.engine.api.plugin.AgentSettings;
import io.middleware.engine.api.plugin.ComponentType;
import io.middleware.engine.api.plugin.OrderFallbackMode;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.agents.ComponentPlugins.ComponentPlugin;
import io.middleware.engine.cluster.agents.GrpcOrderingActivities.OrderSources;
import io.middleware.engine.cluster.agents.OrderAttempt.Patience;
import io.middleware.engine.cluster.status.ActionProgressWriter.Action;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OrderingActivities.GroupOrderRequest;
import io.middleware.engine.workflows.port.OrderingActivities.PodOrderRequest;
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.TaskRef;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A component of two pods whose agents are real servers, and what asks them for orders. */
abstract class OrderingScene {
  /** It logs every frame of the answer that is too large. */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  final FakeView view = new FakeView();

  /** By name of pods, how they are spoken to if not as the Plugin says. */
  final Map<String, Agents> own = new HashMap<>();

  final AgentChannels channels =
      new AgentChannels(name -> null, List.of(), pod -> Optional.ofNullable(own.get(pod.name())));
  final List<String> heartbeats = new CopyOnWriteArrayList<>();
  final Action shown =
      new Action() {
        @Override
        public void report(String message) {
          heartbeats.add("shown: " + message);
        }

        @Override
        public void done() {
          heartbeats.add("done");
        }
      };
  final PluginSlots brief = new PluginSlots(4);
  final PluginSlots waiting = new PluginSlots(4);
  Map<String, OrderFallbackMode> fallback = Map.of("stop", OrderFallbackMode.FAIL);
  List<ComponentType> types;
  Optional<String> lastPrimary = Optional.empty();
  boolean deleted;
  Integer declaredPort;
  Duration deadline = Duration.ofSeconds(20);

  /** An agent that answers does so in time, however busy the machine is. */
  Duration hurry = deadline;

  FakeAgent first;
  FakeAgent second;

  @BeforeAll
  static void quiet() {
    GRPC.setLevel(Level.WARNING);
  }

  @BeforeEach
  void start() throws IOException {
    first = new FakeAgent("127.0.0.1", 0);
    second = new FakeAgent("127.0.0.2", first.port());
    view.sets.add(set(2, 4));
    view.pods.add(readyAt("db-0", "old", "127.0.0.1"));
    view.pods.add(readyAt("db-1", "old", "127.0.0.2"));
  }

  @AfterEach
  void stop() {
    channels.close();
    first.close();
    second.close();
  }

  static GroupOrderRequest request() {
    return new GroupOrderRequest(task(ChangeType.VERSION_UPGRADE), List.of("s-10", "s-2"));
  }

  ExecutionOrder groupOrder(ChangeType type) {
    var request = new GroupOrderRequest(task(type), List.of("s-10", "s-2"));
    var atOnce = ordering().groupOrder(request);
    return atOnce.unanswered() ? ordering().awaitGroupOrder(request) : atOnce;
  }

  PodOrder podOrder(long generation) {
    return podOrder(ChangeType.VERSION_UPGRADE, generation);
  }

  PodOrder podOrder(ChangeType type, long generation) {
    return podOrder(type, new AppliedStatefulSet("db", generation, "set-uid"));
  }

  PodOrder podOrder(ChangeType type, AppliedStatefulSet applied) {
    var request = new PodOrderRequest(new GroupRef(task(type), "g"), applied);
    var atOnce = ordering().podOrder(request);
    return atOnce.unanswered() ? ordering().awaitPodOrder(request) : atOnce;
  }

  GrpcOrderingActivities ordering() {
    return ordering(new ClusterWaiter(view, heartbeats::add));
  }

  GrpcOrderingActivities ordering(ClusterWaiter waiter) {
    var agent = new AgentSettings(declaredPort == null ? first.port() : declaredPort, null);
    var plugin =
        new PluginSpec(
            "redis", "1.0.0", null, null, fallback, null, null, agent, null, null, null, types);
    var policy = new AgentPolicy(deadline, 3, 256 * 1024, Duration.ZERO, hurry);
    return new GrpcOrderingActivities(
        new OrderSources(
            task -> new ComponentPlugin(plugin, "redis"),
            (group, pods) -> lastPrimary,
            (app, set) -> !deleted),
        view,
        waiter,
        new Patience(new AgentQueries(channels, policy), waiting, change -> shown),
        brief);
  }

  static TaskRef task(ChangeType type) {
    return new TaskRef(change(), "7-x-db", type, "db");
  }

  static ChangeRef change() {
    return new ChangeRef("shop", "cache", "uid", 7, "run");
  }
}
