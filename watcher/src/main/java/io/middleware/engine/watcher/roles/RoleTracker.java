package io.middleware.engine.watcher.roles;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Node;
import io.middleware.engine.watcher.health.AppObservation;
import io.middleware.engine.watcher.health.PodHealth;
import io.middleware.engine.watcher.roles.RoleClient.AskedPod;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The roles of all ready pods as last heard. Who looks at an App is never kept waiting: agents are
 * asked in the background, a few at a time, and an App is looked at again when a role has moved. A
 * pod that is not ready has no role; an agent that does not answer changes none.
 */
public final class RoleTracker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RoleTracker.class);

  /** Asked at once; one that hangs holds one of these for the deadline of a question. */
  private static final int AT_ONCE = 16;

  private final RoleClient question;
  private final AgentEndpoints endpoints;
  private final Consumer<ResourceID> news;
  private final RolePollQueue agenda;
  private final Map<ResourceID, List<GroupRoles>> apps = new ConcurrentHashMap<>();
  private final ExecutorService askers =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("roles-", 0).factory());

  /**
   * @param news told which App has a pod in another role
   */
  public RoleTracker(RoleClient question, PluginEndpoints endpoints, Consumer<ResourceID> news) {
    this(question, endpoints, news, System::nanoTime);
  }

  RoleTracker(
      RoleClient question,
      AgentEndpoints endpoints,
      Consumer<ResourceID> news,
      LongSupplier nanoTime) {
    this.question = question;
    this.endpoints = endpoints;
    this.news = news;
    this.agenda = new RolePollQueue(nanoTime);
  }

  /** Begins to ask. */
  public void start() {
    for (int i = 0; i < AT_ONCE; i++) {
      askers.submit(this::askUntilClosed);
    }
  }

  /**
   * Takes in an App as it is seen; looks at one App come one after the other.
   *
   * @return the roles known, by uid of the pod
   */
  public Map<String, String> look(App app, List<Group> groups, List<Pod> pods) {
    var changing = AppObservation.isChanging(app);
    var id = ResourceID.fromResource(app);
    var before = apps.getOrDefault(id, List.of());
    var after = new ArrayList<GroupRoles>(groups.size());
    Map<String, String> roles = new HashMap<>();
    for (Group group : groups) {
      var seen = known(before, group).orElseGet(() -> new GroupRoles(id, uid(group), agenda));
      see(seen, group, readyOf(group, pods), changing);
      after.add(seen);
      seen.tell(roles);
    }
    before.stream().filter(group -> !after.contains(group)).forEach(GroupRoles::leave);
    if (after.isEmpty()) {
      apps.remove(id);
    } else {
      apps.put(id, List.copyOf(after));
    }
    return roles;
  }

  /** The App is gone. */
  public void forget(ResourceID app) {
    apps.getOrDefault(app, List.of()).forEach(GroupRoles::leave);
    apps.remove(app);
  }

  @Override
  public void close() {
    askers.shutdownNow();
  }

  private static Optional<GroupRoles> known(List<GroupRoles> known, Group group) {
    return known.stream().filter(before -> before.uid.equals(uid(group))).findFirst();
  }

  private static String uid(Group group) {
    return group.getMetadata().getUid();
  }

  private void see(GroupRoles roles, Group group, List<Pod> ready, boolean changing) {
    var at = endpoint(group);
    roles.see(at.exists() ? ready : List.of(), at, nodes(group), changing);
  }

  private AgentEndpoint endpoint(Group group) {
    var plugin = group.getSpec() == null ? null : group.getSpec().plugin();
    return plugin == null ? AgentEndpoint.NONE : endpoints.of(plugin);
  }

  private static List<Node> nodes(Group group) {
    var status = group.getStatus();
    return status == null || status.nodes() == null ? List.of() : status.nodes();
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

  private void askUntilClosed() {
    try {
      while (true) {
        askSafely(agenda.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whatever goes wrong with one pod, the others are asked. */
  private void askSafely(PodRole pod) {
    try {
      ask(pod);
    } catch (RuntimeException e) {
      LOG.atError()
          .setCause(e)
          .addKeyValue("namespace", pod.group.app.getNamespace().orElse(""))
          .addKeyValue("app", pod.group.app.getName())
          .log("the agent at {} could not be asked for its role", pod.ip);
      pod.group.hear(pod, agenda.now(), Optional.empty());
    }
  }

  /** Asks all whose time has come, on the caller's thread. */
  void askDue() {
    for (var pod = agenda.poll(); pod != null; pod = agenda.poll()) {
      ask(pod);
    }
  }

  private void ask(PodRole pod) {
    var group = pod.group;
    var askedAt = group.ask(pod);
    var said = question.put(new AskedPod(pod.name, pod.uid, pod.ip, group.at()));
    if (group.hear(pod, askedAt, said)) {
      news.accept(group.app);
    }
  }
}
