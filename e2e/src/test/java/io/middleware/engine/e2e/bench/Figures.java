package io.middleware.engine.e2e.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What was measured: several runs per key, the median shown, the spread beside it. */
final class Figures {
  /** Goals and units by key. */
  private static final Map<String, Goal> GOALS = new LinkedHashMap<>();

  static {
    goal("P1.p50", "ms", 15);
    goal("P1.p99", "ms", 45);
    goal("P2.p50", "ms", 60);
    goal("P2.p99", "ms", 200);
    atLeast("P3.3s", "ratio", 0.985);
    atLeast("P3.8s", "ratio", 0.993);
    atLeast("P3.peer3s", "ratio", 0);
    atLeast("P4.S", "1/s", 5);
    atLeast("P4.M", "1/s", 0.7);
    goal("P5.100", "s", 12);
    goal("P5.500", "s", 60);
    goal("P5.1000", "s", 125);
    goal("P6.S", "events", 30);
    goal("P6.M", "events", 210);
    goal("P6.L", "events", 840);
    goal("P6.actionsM", "actions", 48);
    goal("P6.actionsM.billed", "actions", 90);
    goal("P6.check.holds", "events", 4);
    goal("P6.check.waits", "events", 4);
    goal("P7.server", "ms", 70);
    goal("P7.worker", "ms", 50);
    goal("P8.events", "events", 4096);
    goal("P8.kib", "KiB", 1024);
    goal("P9.open", "workflows", 0);
    goal("P9.events", "events", 0);
    goal("P9.writes", "writes", 0);
    goal("P9.rps", "1/s", 1);
    goal("P10.heap", "MiB", 10);
    goal("P10.rss", "MiB", 250);
    goal("P10.worker", "MiB", 350);
    goal("P11", "s", 5);
    goal("P12.worker", "s", 4.5);
    goal("P12.watcher", "s", 10);
    goal("P13.p99", "ms", 500);
    goal("P13.pause", "ms", 500);
    goal("P14.extra", "writes", 23);
    goal("P14.noop", "writes", 0);
    goal("P15", "ms", 200);
    goal("P15.tests", "ms", 200);
    goal("P15.crowd", "ms", 1000);
    goal("P15.testing", "ms", 1000);
    goal("P15.new", "s", 30);
    Upkeep.IN_FLIGHT.forEach(
        apps ->
            Upkeep.PROCESSES.forEach(
                process -> atLeast("P16.%s.%d".formatted(process, apps), "ms", 0)));
    goal("P16.slope", "ratio", 1.2);
    goal("P16.heartbeats", "requests", 2);
    goal("P16.tasktimeouts", "tasks", 0);
    goal("P16.evicted", "runs", 0);
    goal("P18.checks", "cores", 0.3);
    goal("P18.temporal", "cores", 0.3);
    goal("P18.api", "cores", 0.3);
    goal("P18.prometheus", "cores", 0.1);
    goal("P18.heartbeats", "1/s", 100);
    goal("P19.time", "ratio", 1.0);
    goal("P19.controller", "ratio", 4);
    goal("P19.cluster", "ratio", 1.2);
    goal("P19.writes", "ratio", 1.1);
    Peers.UNITS.forEach(
        (part, unit) ->
            Stream.of(Peer.values())
                .forEach(peer -> atLeast("P19.%s.%s".formatted(part, peer.key), unit, 0)));
    Peers.processes(Peer.APP).forEach(process -> atLeast("P19.cpu." + process, "ms", 0));
    goal("P20.overtake", "s", 5);
    goal("P20.health", "s", 2);
    goal("P20.health.back", "s", 3);
    goal("P20.roles", "s", 4);
    goal("P20.role", "s", 2);
    goal("P20.role.back", "s", 3);
    goal("P20.promoted", "s", 30);
    goal("P20.metadata", "s", 3);
    goal("P20.metadata.repaired", "s", 3);
    goal("P20.metadata.gone", "s", 3);
    goal("P20.hot", "ms", 1500);
    goal("P20.switchover", "s", 1);
    goal("P21.alone.p50", "s", 5);
    goal("P21.alone.p99", "s", 5);
    goal("P21.p50", "s", 5);
    goal("P21.p99", "s", 5);
  }

  /**
   * @param least whether more is better
   */
  private record Goal(String unit, double value, boolean least) {
    boolean isMissed(double figure) {
      return least ? figure < value : figure > value;
    }
  }

  private final Map<String, List<Double>> runs = new TreeMap<>();

  private static void goal(String key, String unit, double most) {
    GOALS.put(key, new Goal(unit, most, false));
  }

  private static void atLeast(String key, String unit, double least) {
    GOALS.put(key, new Goal(unit, least, true));
  }

  void add(String key, double value) {
    runs.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
    System.err.printf("  %s %s%n", key, shown(value));
  }

  /** Adds the 50th and the 99th percentile of a run's samples. */
  void percentiles(String key, List<Double> samples) {
    add(key + ".p50", percentile(samples, 50));
    add(key + ".p99", percentile(samples, 99));
  }

  static double percentile(List<Double> samples, double percent) {
    var sorted = samples.stream().sorted().toList();
    return sorted.get(Math.max(0, (int) Math.ceil(percent / 100 * sorted.size()) - 1));
  }

  String table() {
    var lines =
        new StringBuilder(
            "%-30s %10s %10s %-10s %s%n".formatted("key", "median", "goal", "unit", "runs"));
    for (var key : GOALS.keySet()) {
      if (runs.containsKey(key)) {
        var goal = GOALS.get(key);
        var median = percentile(runs.get(key), 50);
        lines.append(
            "%-30s %10s %10s %-10s %s%s%n"
                .formatted(
                    key,
                    shown(median),
                    shown(goal.value()),
                    goal.unit(),
                    runs.get(key).stream().map(Figures::shown).toList(),
                    goal.isMissed(median) ? "  MISSED" : ""));
      }
    }
    return lines.toString();
  }

  private static String shown(double figure) {
    return (figure < 10 ? "%.3f" : "%.1f").formatted(figure);
  }

  void write(Path file) throws IOException {
    var json = new LinkedHashMap<String, Object>();
    var spread = new LinkedHashMap<String, Object>();
    for (var key : GOALS.keySet()) {
      if (runs.containsKey(key)) {
        json.put(key, percentile(runs.get(key), 50));
        spread.put(key, runs.get(key));
      }
    }
    json.put("machine", Machine.describe());
    json.put("spread", spread);
    new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), json);
  }
}
