package io.middleware.engine.simulator.agents;

import io.grpc.Status;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plays the process of one pod: its part in the group, and the parameters it was given. */
final class SimulatedDriver implements Driver {
  private static final Logger LOG = LoggerFactory.getLogger(SimulatedDriver.class);
  private static final int HALF = 50;

  private final SimulatedGroup group;
  private final String uid;
  private final Consumer<PodAnnotation> marks;
  private final Map<String, String> inForce = new ConcurrentHashMap<>();

  /**
   * @param uid of the pod
   * @param marks told of each action before it ends
   */
  SimulatedDriver(SimulatedGroup group, String uid, Consumer<PodAnnotation> marks) {
    this.group = group;
    this.uid = uid;
    this.marks = marks;
  }

  @Override
  public ReplicationRole role() {
    return group.isPrimary(uid) ? ReplicationRole.PRIMARY : ReplicationRole.REPLICA;
  }

  @Override
  public String roleWord() {
    return switch (role()) {
      case PRIMARY -> ReplicationRole.PRIMARY.word();
      case REPLICA -> group.pod(uid).map(SimulatedPod::replicaRole).orElseGet(ReplicationRole.REPLICA::word);
    };
  }

  @Override
  public Optional<String> primary() {
    return group.primary().map(member -> member.pod());
  }

  @Override
  public Optional<String> switchover(ProgressSink progress) {
    progress.report("looks for a pod that may take over", HALF);
    switch (group.switchover(uid)) {
      case SimulatedGroup.SimulatedSwitchover.Done(var to, var from) -> {
        marks.accept(mark(to, PodAnnotation.TOOK_OVER_FROM, from.member().pod()));
        LOG.atInfo()
            .addKeyValue("group", to.group())
            .addKeyValue("primary", to.member().pod())
            .log("switched over");
      }
      case SimulatedGroup.SimulatedSwitchover.NotPrimary() -> {}
      case SimulatedGroup.SimulatedSwitchover.NobodyReady() ->
          throw Status.FAILED_PRECONDITION
              .withDescription("no other pod of the group is ready to take over")
              .asRuntimeException();
    }
    return primary();
  }

  @Override
  public Map<String, String> reload(Map<String, String> parameters, ProgressSink progress) {
    inForce.putAll(parameters);
    return Map.copyOf(inForce);
  }

  /** The simulated process holds nothing that another does not. */
  @Override
  public void drain(ProgressSink progress) {
    progress.report("holds nothing", HALF);
    group.pod(uid).ifPresent(pod -> marks.accept(mark(pod, PodAnnotation.DRAINED, "true")));
  }

  private static PodAnnotation mark(SimulatedPod pod, String annotation, String value) {
    return new PodAnnotation(pod.group().namespace(), pod.member().pod(), annotation, value);
  }
}
