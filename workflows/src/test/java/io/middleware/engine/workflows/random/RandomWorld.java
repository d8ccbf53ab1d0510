package io.middleware.engine.workflows.random;

import static io.middleware.engine.workflows.ChangeEnvironment.cancel;
import static io.middleware.engine.workflows.ChangeEnvironment.retry;
import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ChangeOutcome;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.TaskPhase;
import io.middleware.engine.workflows.ChangeEnvironment;
import io.middleware.engine.workflows.FakeCluster;
import io.middleware.engine.workflows.Plans;
import io.middleware.engine.workflows.port.ChangeProgress;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeTarget;
import io.temporal.client.WorkflowException;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** An App, its users and operators, and the watcher, in schedules that a seed decides. */
final class RandomWorld implements AutoCloseable {
  /** The share of moments in which something happens, in percent. */
  private static final int BUSY = 15;

  private static final int MOST_EDITS = 4;

  /** Each schedule begins at the next hundred: no other number is as large as a generation. */
  private static final int HUNDRED = 100;

  private static final Pattern GENERATION = Pattern.compile("[0-9]{3,}");
  private static final Duration LINGER = Duration.ofMillis(1500);
  private static final List<String> WAITING =
      List.of(
          "plan", "apply", "restore", "order", "replace", "reload", "converged", "remove", "gone");
  private static final List<String> ORDER = List.of("s0-1", "s0-0", "s1-0");

  private final ChangeEnvironment env;
  private final FakeCluster cluster;
  private final Map<String, Integer> times = new HashMap<>();
  private long seed;
  private long newest;
  private int edits;
  private boolean paused;
  private boolean deleted;
  private volatile long lingersUntil = System.nanoTime();

  RandomWorld() {
    env = ChangeEnvironment.withApp(false);
    cluster = env.cluster;
    cluster.pods.put("shard-1", List.of("s1-0"));
    cluster.reloading.add("shard-0");
    cluster.planner = change -> Plans.hurried(plan(change.generation()));
    cluster.fault = this::moment;
  }

  private PlanAnswer plan(long asked) {
    return deleted
        ? Plans.removal(newest, "sentinel", "nodes")
        : Plans.undoing(newest, asked % 2 == 0 ? Plans.ROLLBACK : Plans.HOLD, "sentinel", "nodes");
  }

  @Override
  public void close() {
    env.close();
  }

  /** Runs one schedule from its first edit until nothing is pending. */
  void live(long seed) {
    try {
      begin(seed);
      schedule();
      assertInvariants();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed %d: %s%nends: %s%noperations: %s"
              .formatted(seed, e.getMessage(), cluster.ends(), cluster.operations),
          e);
    }
  }

  private void begin(long seed) {
    this.seed = seed;
    times.clear();
    newest = (newest / HUNDRED + 1) * HUNDRED;
    edits = 0;
    paused = false;
    deleted = false;
    cluster.forget();
  }

  /** The watcher: signals again as long as the newest generation has not been carried out. */
  private void schedule() {
    edit();
    for (int checks = 0; ; checks++) {
      env.result();
      if (isCarriedOut()) {
        return;
      }
      assertThat(checks).as("checks of the watcher").isLessThan(50);
      signalAgain();
    }
  }

  private synchronized void signalAgain() {
    env.change(request());
  }

  private boolean isCarriedOut() {
    var last = cluster.lastReport();
    return last.end().isPresent() && last.change().generation() == newest;
  }

  private void edit() {
    edits++;
    cluster.paused = paused; // set before the edit: a plan of the new generation must find it
    newest++;
    var request = request();
    if (request.urgent() || deleted) {
      lingersUntil = System.nanoTime() + LINGER.toNanos();
    }
    env.change(request);
  }

  private ChangeRequest request() {
    return new ChangeRequest(
            new ChangeTarget("shop", "cache", ChangeEnvironment.UID, 0), newest, deleted)
        .in(paused, dice("request").nextInt(3) == 0);
  }

  /**
   * The dice depend on the moment alone, not on concurrent operations before it, so that a seed
   * repeats its schedule.
   */
  private synchronized RandomGenerator dice(String operation) {
    var moment = GENERATION.matcher(operation).replaceAll("");
    return new SplittableRandom(Objects.hash(seed, moment, times.merge(moment, 1, Integer::sum)));
  }

  /** Called by the cluster before each of its operations, which then may fail. */
  private ApplicationFailure moment(String operation) {
    if (operation.equals("report") || operation.equals("task state")) {
      return null;
    }
    var failure = happening(operation);
    linger(operation);
    return failure;
  }

  private synchronized ApplicationFailure happening(String operation) {
    var dice = dice(operation);
    if (dice.nextInt(100) >= BUSY) {
      return null;
    }
    try {
      return switch (dice.nextInt(10)) {
        case 0 -> act(this::edit, edits < MOST_EDITS);
        case 1 -> act(this::pause, edits < MOST_EDITS && !paused);
        case 2 -> act(this::delete, edits < MOST_EDITS && operation.startsWith("replace"));
        case 3 -> interrupt(() -> env.open().signal("cancelTasks", cancel(anyTask(dice))));
        case 4 -> interrupt(() -> env.open().signal("cancelChange"));
        case 5 -> act(() -> env.open().signal("retryTasks", retry(anyTask(dice))), true);
        case 6 -> interrupt(() -> env.cancelNatively(""));
        case 7 -> interrupt(() -> env.cancelNatively("/" + newest + "/" + anyTask(dice)));
        case 8 -> isFallible(operation) ? fails(FaultKind.CONFLICT, "taken") : null;
        default -> isFallible(operation) ? fails(FaultKind.INVALID, "broken") : null;
      };
    } catch (WorkflowException e) {
      return null;
    }
  }

  /**
   * Makes steps take longer than a cancel needs to reach them. When a step ends meanwhile, the
   * in-memory server loses the workflow task that cancels it; the real server does not.
   */
  private void linger(String operation) {
    if (WAITING.stream().anyMatch(operation::startsWith)) {
      env.await(() -> System.nanoTime() > lingersUntil);
    }
  }

  private ApplicationFailure interrupt(Runnable action) {
    lingersUntil = System.nanoTime() + LINGER.toNanos();
    return act(action, true);
  }

  private static ApplicationFailure act(Runnable action, boolean allowed) {
    if (allowed) {
      action.run();
    }
    return null;
  }

  private static boolean isFallible(String operation) {
    return List.of("apply", "replace", "reload").stream().anyMatch(operation::startsWith);
  }

  private String anyTask(RandomGenerator dice) {
    return newest + "-config-" + (dice.nextBoolean() ? "nodes" : "sentinel");
  }

  private void pause() {
    paused = true;
    edit();
    CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS).execute(this::resume);
  }

  private synchronized void resume() {
    paused = false;
    edit();
  }

  private void delete() {
    deleted = true;
    edit();
  }

  private void assertInvariants() {
    assertThat(cluster.runs).as("runs, one after the other").doesNotHaveDuplicates();
    for (var run : cluster.runs) {
      assertThat(cluster.lastReport(run).end()).as("end of run %s", run).isPresent();
    }
    assertThat(cluster.runs.stream().map(run -> cluster.lastReport(run).change().generation()))
        .as("generations of the runs")
        .isSorted()
        .endsWith(newest);
    for (var run : cluster.runs) {
      for (var back : List.of(true, false)) {
        var restarts = cluster.made.restarts(run, back);
        assertThat(restarts)
            .as("restarts of run %s, rollback: %s", run, back)
            .isEqualTo(ORDER.stream().filter(restarts::contains).toList());
      }
    }
    assertEnd(cluster.lastReport());
  }

  private void assertEnd(ChangeProgress last) {
    assertThat(last.tasks()).allMatch(task -> task.phase().isTerminal());
    var end = last.end().orElseThrow();
    if (end.outcome() == ChangeOutcome.SUCCEEDED) {
      assertThat(last.tasks()).allMatch(task -> task.phase() == TaskPhase.DONE);
    }
    assertThat(env.result())
        .isEqualTo(end.outcome().label() + (end.message().isEmpty() ? "" : ": ") + end.message());
  }
}
