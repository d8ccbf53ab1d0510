package io.middleware.engine.e2e.bench;

import static java.util.stream.Collectors.toMap;

import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.bench.Fleet.Shape;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * P16: what one small upgrade costs each process in CPU time while 1, 4, 8 or 16 Apps are being
 * changed all the time. Upkeep that is paid per second makes a change dearer the longer it lasts.
 */
final class Upkeep {
  static final List<Integer> IN_FLIGHT = List.of(1, 4, 8, 16);

  /** All that take part, without the servers' own scheduler, which does next to nothing. */
  static final List<String> PROCESSES =
      List.of(
          "temporal",
          "kube-apiserver",
          "etcd",
          "worker",
          "watcher",
          "kube-controller-manager",
          "kwok");

  /** Enough that what the processes do by themselves counts for little. */
  private static final int CHANGES = 96;

  private final Figures figures;

  Upkeep(Figures figures) {
    this.figures = figures;
  }

  void run() throws IOException, InterruptedException, ExecutionException {
    var most = IN_FLIGHT.getLast();
    try (var fleet = new Fleet("bench-upkeep")) {
      fleet.apply(0, most, Shape.S);
      fleet.awaitReady(most);
      change(fleet, most, 2);
      var alone = measure(fleet, IN_FLIGHT.getFirst());
      var total = alone;
      for (var apps : IN_FLIGHT.subList(1, IN_FLIGHT.size())) {
        total = measure(fleet, apps);
      }
      figures.add("P16.slope", total / alone);
    }
  }

  /** Returns the CPU time of all processes for one change, in ms. */
  private double measure(Fleet fleet, int apps)
      throws IOException, InterruptedException, ExecutionException {
    var before = cpu();
    change(fleet, apps, CHANGES / apps);
    var after = cpu();
    var total = 0.0;
    for (var process : PROCESSES) {
      var each = (after.get(process) - before.get(process)) / CHANGES;
      figures.add("P16.%s.%d".formatted(process, apps), each);
      total += each;
    }
    return total;
  }

  private static Map<String, Double> cpu() {
    return PROCESSES.stream()
        .collect(toMap(process -> process, process -> Machine.cpu(Engine.pid(process))));
  }

  /** Each App is changed again as soon as it is Ready. */
  private static void change(Fleet fleet, int apps, int times)
      throws InterruptedException, ExecutionException {
    try (var threads = Executors.newFixedThreadPool(apps)) {
      var changes =
          IntStream.range(0, apps)
              .<Future<?>>mapToObj(app -> threads.submit(() -> change(fleet, "app-" + app, times)))
              .toList();
      for (var change : changes) {
        change.get();
      }
    }
  }

  private static void change(Fleet fleet, String app, int times) {
    for (int i = 0; i < times; i++) {
      fleet.changeSmall(app);
    }
  }
}
