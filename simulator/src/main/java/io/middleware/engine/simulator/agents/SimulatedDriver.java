package io.middleware.engine.simulator.agents;

import static java.util.stream.Collectors.joining;

import io.grpc.Status;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Simulates the process of one pod: its role in the group, its parameters and its actions. */
final class SimulatedDriver implements Driver {
  private static final Logger LOG = LoggerFactory.getLogger(SimulatedDriver.class);
  private static final int HALF = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration LOOK = Duration.ofMillis(20);

  private final SimulatedGroup group;
  private final String uid;
  private final Consumer<PodAnnotation> annotate;
  private final Duration patience;
  private final Map<String, String> inForce = new ConcurrentHashMap<>();
  private final AtomicInteger actionsRun = new AtomicInteger();

  /**
   * @param uid of the pod
   * @param annotate called for each action before it ends
   */
  SimulatedDriver(SimulatedGroup group, String uid, Consumer<PodAnnotation> annotate) {
    this(group, uid, annotate, PATIENCE);
  }

  /**
   * @param patience how long a switchover waits for a pod that is ready
   */
  SimulatedDriver(
      SimulatedGroup group, String uid, Consumer<PodAnnotation> annotate, Duration patience) {
    this.group = group;
    this.uid = uid;
    this.annotate = annotate;
    this.patience = patience;
  }

  @Override
  public ReplicationRole role() {
    return group.isPrimary(uid) ? ReplicationRole.PRIMARY : ReplicationRole.REPLICA;
  }

  @Override
  public String roleName() {
    return switch (role()) {
      case PRIMARY -> ReplicationRole.PRIMARY.wireName();
      case REPLICA ->
          group
              .pod(uid)
              .map(SimulatedPod::replicaRole)
              .orElseGet(ReplicationRole.REPLICA::wireName);
    };
  }

  @Override
  public Optional<String> primary() {
    return group.primary().map(member -> member.pod());
  }

  @Override
  public Optional<String> switchover(Optional<String> successor, ProgressSink progress)
      throws InterruptedException {
    progress.report("looking for a ready pod", HALF);
    switch (switchover(successor)) {
      case SimulatedGroup.SimulatedSwitchover.Done(var to, var from) -> {
        annotate.accept(annotation(to, PodAnnotation.TOOK_OVER_FROM, from.member().pod()));
        LOG.atInfo()
            .addKeyValue("group", to.group())
            .addKeyValue("primary", to.member().pod())
            .log("switched over");
      }
      case SimulatedGroup.SimulatedSwitchover.NotPrimary() -> {}
      case SimulatedGroup.SimulatedSwitchover.NoReadyPod() ->
          throw Status.FAILED_PRECONDITION
              .withDescription(
                  successor
                      .map(
                          "pod %s is not a ready replica of the group, so it cannot take over"
                              ::formatted)
                      .orElse("no other pod of the group is ready to take over"))
              .asRuntimeException();
    }
    return primary();
  }

  /** A pod that has just become ready is seen a moment later. */
  private SimulatedGroup.SimulatedSwitchover switchover(Optional<String> successor)
      throws InterruptedException {
    var end = System.nanoTime() + patience.toNanos();
    var outcome = group.switchover(uid, successor);
    while (outcome instanceof SimulatedGroup.SimulatedSwitchover.NoReadyPod
        && System.nanoTime() < end) {
      Thread.sleep(LOOK);
      outcome = group.switchover(uid, successor);
    }
    return outcome;
  }

  @Override
  public Map<String, String> reload(Map<String, String> parameters, ProgressSink progress) {
    inForce.putAll(parameters);
    return Map.copyOf(inForce);
  }

  /** A simulated process has nothing that other pods lack. */
  @Override
  public void drain(ProgressSink progress) {
    progress.report("nothing to drain", HALF);
    group
        .pod(uid)
        .ifPresent(pod -> annotate.accept(annotation(pod, PodAnnotation.DRAINED, "true")));
  }

  /** Knows {@code lag}, which is what the pod's annotation says. */
  @Override
  public String measure(String question) {
    return question.equals("lag")
        ? group.pod(uid).map(SimulatedPod::lag).orElse("0")
        : Driver.super.measure(question);
  }

  /** Prints the parameters, one in a line, and tells who it was. */
  @Override
  public ActionOutput runAction(ActionRequest request, ProgressSink progress) {
    progress.report("running " + request.name(), HALF);
    var lines = new TreeMap<>(request.parameters()).entrySet().stream().map(Object::toString);
    var output = lines.map(line -> line + "\n").collect(joining());
    var run = "%d %s %s".formatted(actionsRun.incrementAndGet(), request.name(), output.strip());
    var pod = group.pod(uid);
    pod.ifPresent(it -> annotate.accept(annotation(it, PodAnnotation.ACTIONS_RUN, run.strip())));
    return new ActionOutput(
        0, output, pod.map(it -> Map.of("pod", it.member().pod())).orElseGet(Map::of));
  }

  private static PodAnnotation annotation(SimulatedPod pod, String key, String value) {
    return new PodAnnotation(pod.group().namespace(), pod.member().pod(), key, value);
  }
}
