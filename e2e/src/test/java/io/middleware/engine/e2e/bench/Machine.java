package io.middleware.engine.e2e.bench;

import io.middleware.engine.e2e.Engine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The machine and the processes that are measured. */
final class Machine {
  private Machine() {}

  static Map<String, Object> describe() {
    return Map.of(
        "cores", Runtime.getRuntime().availableProcessors(),
        "load", load(),
        "java", Runtime.version().toString(),
        "os", System.getProperty("os.name") + " " + System.getProperty("os.version"),
        "temporal", Engine.run(List.of("temporal", "--version")).strip(),
        "temporal data", Engine.variable("TEMPORAL_STORE"),
        "kubernetes", Engine.run(List.of("kube-apiserver", "--version")).strip());
  }

  /** The average of the last minute. */
  static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  /** Resident size of a process in MiB. */
  static double rss(String pid) throws IOException {
    for (var line : Files.readAllLines(Path.of("/proc", pid, "status"))) {
      if (line.startsWith("VmRSS:")) {
        return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
      }
    }
    throw new IllegalStateException("no VmRSS of process " + pid);
  }

  /** CPU time that a process has used so far, in ms. */
  static double cpu(String pid) {
    return ProcessHandle.of(Long.parseLong(pid))
        .flatMap(process -> process.info().totalCpuDuration())
        .map(Duration::toMillis)
        .orElseThrow(() -> new IllegalStateException("no process " + pid));
  }

  /**
   * Size of all live objects in MiB. The process's own metric was up to 21 MiB more: it counts what
   * its scrape allocates, and dead objects that the serial collector leaves in place.
   */
  static double heap(String pid) {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    return Engine.run(List.of(jcmd, pid, "GC.class_histogram"))
            .lines()
            .map(line -> line.strip().split("\\s+")) // rank:, instances, bytes, class
            .filter(row -> row[0].matches("\\d+:") && row.length > 3)
            .filter(row -> !row[3].contains("FillerElement"))
            .mapToDouble(row -> Double.parseDouble(row[2]))
            .sum()
        / (1 << 20);
  }

  /** The sum of all series that begin so, in Prometheus' text format. */
  static double sum(String metrics, String series) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }
}
