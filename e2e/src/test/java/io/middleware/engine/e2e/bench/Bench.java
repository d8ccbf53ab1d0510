package io.middleware.engine.e2e.bench;

import io.middleware.engine.e2e.bench.Fleet.Shape;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code Bench [P1 P5 …] [--runs N] [--json FILE]}: measures, prints a table with the goals, writes
 * JSON.
 */
public final class Bench {
  private static final List<String> ALL =
      List.of(
          "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11", "P12", "P13", "P14",
          "P15", "P16", "P18", "P19", "P20", "P21");
  private static final String SMALL_CROWD = "P5.100";
  private static final String CHECKED = "P6.check";
  private static final String BESIDE_TESTS = "P15.tests";
  private static final String IN_CROWD = "P15.crowd";
  private static final String WHILE_TESTS_CHANGE = "P15.testing";
  private static final List<String> PARTS =
      List.of(SMALL_CROWD, CHECKED, BESIDE_TESTS, IN_CROWD, WHILE_TESTS_CHANGE);

  private final Figures figures = new Figures();
  private final Set<String> wanted;
  private final int runs;

  private Bench(Set<String> wanted, int runs) {
    this.wanted = wanted;
    this.runs = runs;
  }

  public static void main(String[] arguments) throws Exception {
    var wanted = new LinkedHashSet<String>();
    var json = Path.of("bench.json");
    var runs = 3;
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].equals("--json")) {
        json = Path.of(arguments[++i]);
      } else if (arguments[i].equals("--runs")) {
        runs = Integer.parseInt(arguments[++i]);
      } else if (ALL.contains(arguments[i]) || PARTS.contains(arguments[i])) {
        wanted.add(arguments[i]);
      } else {
        throw new IllegalArgumentException(
            "no metric '%s': there are %s".formatted(arguments[i], ALL));
      }
    }
    var bench = new Bench(wanted.isEmpty() ? new LinkedHashSet<>(ALL) : wanted, runs);
    try {
      bench.run();
    } finally {
      System.out.print(bench.figures.table());
      bench.figures.write(json);
      System.out.println("written to " + json.toAbsolutePath());
    }
  }

  private void run() throws Exception {
    if (wants("P1", "P6", "P14")) {
      changes();
    }
    if (wants("P6", CHECKED)) {
      new Checks(figures).run();
    }
    if (wants("P3")) {
      new Paths(figures).run(runs);
    }
    if (wants("P4")) {
      new Sustained(figures).run();
    }
    if (wants("P5", SMALL_CROWD)) {
      new Crowd(figures).run(runs, wants("P5"));
    }
    if (wants("P7")) {
      new Cost(figures).run(runs);
    }
    if (wants("P8")) {
      new Large(figures).run();
    }
    if (wants("P12")) {
      new Kills(figures).run();
    }
    if (wants("P13")) {
      new Stops(figures).run();
    }
    if (wants("P16")) {
      new Upkeep(figures).run();
    }
    visibility();
    thousandApps();
    if (wants("P20")) {
      new Promptness(figures).run(runs);
    }
    besideOthers();
  }

  private void besideOthers() throws Exception {
    if (wants("P19")) {
      new Peers(figures).run(runs);
    }
    if (wants("P21")) {
      new Tenants(figures).run();
    }
  }

  private void visibility() throws Exception {
    if (wants("P15", BESIDE_TESTS)) {
      new Visibility(figures).runBesideTests(runs);
    }
    if (wants("P15", IN_CROWD)) {
      new Visibility(figures).runInCrowd(runs);
    }
    if (wants("P15", WHILE_TESTS_CHANGE)) {
      new Visibility(figures).runWhileTestsChange(runs);
    }
  }

  private void thousandApps() throws Exception {
    if (wants("P2", "P9", "P10", "P11")) {
      new Idle(figures).run(runs);
    }
    if (wants("P18")) {
      new Watching(figures).run(runs);
    }
  }

  private boolean wants(String... keys) {
    return List.of(keys).stream().anyMatch(wanted::contains);
  }

  private void changes() throws Exception {
    try (var fleet = new Fleet("bench-changes")) {
      var changes = new Changes(fleet, figures);
      changes.warmUp(Shape.M);
      for (int run = 0; run < runs; run++) {
        changes.measure("S" + run, "S", Shape.S);
        changes.measure("M" + run, "M", Shape.M);
        changes.measure("L" + run, "L", Shape.L);
      }
      changes.summarize();
    }
  }
}
