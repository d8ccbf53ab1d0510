package io.middleware.engine.e2e.bench;

import static java.util.stream.Collectors.toMap;

import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Yaml;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * P19: a hundred objects of one pod each, created at once and then all updated, by this engine and
 * by Argo Rollouts in turn, and the ratio; beside them by the StatefulSet controller alone.
 */
final class Peers {
  /** Of what is measured of each peer. */
  static final Map<String, String> UNITS =
      new TreeMap<>(
          Map.of(
              "create", "s",
              "update", "s",
              "time", "s",
              "controller", "ms",
              "cluster", "ms",
              "writes", "writes"));

  private static final List<String> CLUSTER =
      List.of("kube-apiserver", "etcd", "kube-controller-manager");

  private static final int OBJECTS = 100;

  /** What is left to be done after an update counts as well. */
  private static final Duration SETTLING = Duration.ofSeconds(3);

  private final Figures figures;

  Peers(Figures figures) {
    this.figures = figures;
  }

  /**
   * What the objects of one peer took.
   *
   * @param create seconds until all were Ready
   * @param update seconds until all were replaced
   * @param cpu for each object by process, in ms
   * @param writes for each object, of whomever, its events among them
   */
  private record Taken(double create, double update, Map<String, Double> cpu, double writes) {
    double time() {
      return create + update;
    }

    double cpu(List<String> processes) {
      return processes.stream().mapToDouble(cpu::get).sum();
    }
  }

  void run(int runs) throws Exception {
    Engine.dev("start", "argo-rollouts");
    try (var fleet = new Fleet("bench-peers")) {
      Fleet.kubectl(Yaml.read("e2e/src/test/resources/simulated/plugin-plain.yaml"));
      for (var peer : Peer.values()) {
        measure(fleet, peer);
      }
      for (int run = 0; run < runs; run++) {
        report(Peer.STATEFUL_SET, measure(fleet, Peer.STATEFUL_SET));
        compare(measure(fleet, Peer.ROLLOUT), measure(fleet, Peer.APP));
      }
    } finally {
      Engine.dev("stop", "argo-rollouts");
    }
  }

  private static Taken measure(Fleet fleet, Peer peer) throws InterruptedException {
    try (var objects = new PeerObjects(fleet, peer, OBJECTS)) {
      Thread.sleep(SETTLING);
      var audit = AuditLog.fromNow();
      var cpu = cpu(peer);
      var create = objects.bring("7.0");
      var update = objects.bring("7.2");
      Thread.sleep(SETTLING);
      var each = cpu(peer);
      each.replaceAll((process, now) -> (now - cpu.get(process)) / OBJECTS);
      return new Taken(create, update, each, writes(audit, fleet) / (double) OBJECTS);
    }
  }

  static List<String> processes(Peer peer) {
    return Stream.concat(peer.processes.stream(), CLUSTER.stream()).toList();
  }

  private static Map<String, Double> cpu(Peer peer) {
    return processes(peer).stream()
        .collect(toMap(process -> process, process -> Machine.cpu(Engine.pid(process))));
  }

  private static long writes(AuditLog audit, Fleet fleet) {
    return audit.in(fleet.namespace).stream()
        .filter(entry -> entry.succeeded() && !entry.isRead() && !entry.dryRun())
        .count();
  }

  private void compare(Taken theirs, Taken ours) {
    report(Peer.ROLLOUT, theirs);
    report(Peer.APP, ours);
    ours.cpu().forEach((process, cpu) -> figures.add("P19.cpu." + process, cpu));
    figures.add("P19.time", ours.time() / theirs.time());
    figures.add(
        "P19.controller", ours.cpu(Peer.APP.processes) / theirs.cpu(Peer.ROLLOUT.processes));
    figures.add("P19.cluster", ours.cpu(CLUSTER) / theirs.cpu(CLUSTER));
    figures.add("P19.writes", ours.writes() / theirs.writes());
  }

  private void report(Peer peer, Taken taken) {
    figures.add("P19.create." + peer.key, taken.create());
    figures.add("P19.update." + peer.key, taken.update());
    figures.add("P19.time." + peer.key, taken.time());
    if (!peer.processes.isEmpty()) {
      figures.add("P19.controller." + peer.key, taken.cpu(peer.processes));
    }
    figures.add("P19.cluster." + peer.key, taken.cpu(CLUSTER));
    figures.add("P19.writes." + peer.key, taken.writes());
  }
}
