package io.middleware.engine.e2e.change;

import static io.middleware.engine.e2e.HangingApp.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.change.TaskStatus;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.change.LifeCell.Blow;
import io.middleware.engine.e2e.change.LifeCell.Moment;
import io.temporal.client.WorkflowFailedException;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever happens to a change at whatever moment: it ends in a defined state, the status is true,
 * no pod is touched twice, nothing is written after the acknowledgement, and no workflow stays
 * open.
 *
 * <p>Three combinations cannot happen. Only a running task has a time limit, so nothing times out
 * while planning or between tasks. Nothing runs between tasks, so nothing fails there. There are no
 * tasks while planning, so the cancel of a task is refused. A change stays between two tasks only
 * while it is paused; the edit that paused it is carried out next. The native cancel of a task and
 * an edit that overtakes as the status advises are shown once, while a pod is waited for.
 */
@EndToEnd
@Order(1)
@InTurn(0)
class LifeMatrixE2E {
  private static final int AT_ONCE = 8;

  /** What the App shows at the end. */
  private static final String TABLE =
      """
      PLANNING      CANCEL_ONE    Succeeded Done      Done      all-1,all-0,redis ∅
      PLANNING      CANCEL_CHANGE Cancelled -         -         -                 cancelled by request
      PLANNING      NATIVE_CANCEL Cancelled -         -         -                 cancelled by request
      PLANNING      FAILURE       Rejected  -         -         -                 is forbidden: User
      PLANNING      SUPERSEDE     Succeeded Done      Done      all-1,all-0,redis superseded
      PLANNING      DELETE        gone      -         -         -                 ∅
      PLANNING      PAUSE         Succeeded -         -         all-1,all-0,redis ∅
      BETWEEN_TASKS CANCEL_ONE    Cancelled -         Cancelled -                 cancelled by request
      BETWEEN_TASKS CANCEL_CHANGE Cancelled -         Cancelled -                 cancelled by request
      BETWEEN_TASKS NATIVE_CANCEL Cancelled -         Cancelled -                 cancelled by request
      BETWEEN_TASKS SUPERSEDE     Succeeded Done      Done      hanging-0,redis  ∅
      BETWEEN_TASKS DELETE        gone      -         -         -                 ∅
      BETWEEN_TASKS PAUSE         Succeeded -         -         redis             ∅
      WAITING       CANCEL_ONE    Cancelled Cancelled Skipped   hanging-1         rolled back
      WAITING       CANCEL_CHANGE Cancelled Cancelled Cancelled hanging-1         rolled back
      WAITING       NATIVE_CANCEL Cancelled Cancelled Cancelled hanging-1         rolled back
      WAITING       CANCEL_CHILD  Cancelled Cancelled Skipped   hanging-1         rolled back
      WAITING       TIMEOUT       Failed    Failed    Skipped   -                 timed out after 45s while waiting for pod cache-sentinel-hanging-1: ImagePullBackOff
      WAITING       FAILURE       Failed    Failed    Skipped   -                 terminated
      WAITING       SUPERSEDE     Succeeded Done      Done      hanging-1,hanging-0,redis ∅
      WAITING       OVERTAKE      Succeeded Done      Done      hanging-1,hanging-1,hanging-0,redis ∅
      WAITING       DELETE        gone      -         -         -                 ∅
      WAITING       PAUSE         Succeeded Done      Done      hanging-1,hanging-0,redis ∅
      RETRY_PAUSE   CANCEL_ONE    Cancelled Cancelled Skipped   -                 rolled back
      RETRY_PAUSE   CANCEL_CHANGE Cancelled Cancelled Cancelled -                 rolled back
      RETRY_PAUSE   NATIVE_CANCEL Cancelled Cancelled Cancelled -                 rolled back
      RETRY_PAUSE   TIMEOUT       Failed    Failed    Skipped   -                 timed out after 45s; the last attempt failed: apply StatefulSet
      RETRY_PAUSE   FAILURE       Failed    Failed    Skipped   -                 somebody
      RETRY_PAUSE   SUPERSEDE     Succeeded Done      Done      all-1,all-0,redis ∅
      RETRY_PAUSE   DELETE        gone      -         -         -                 ∅
      RETRY_PAUSE   PAUSE         Succeeded -         -         all-1,all-0,redis ∅
      ROLLBACK      CANCEL_ONE    Cancelled Cancelled Cancelled -                 the rollback was cancelled
      ROLLBACK      CANCEL_CHANGE Cancelled Cancelled Cancelled -                 the rollback was cancelled
      ROLLBACK      NATIVE_CANCEL Cancelled Cancelled Cancelled -                 the rollback was cancelled
      ROLLBACK      TIMEOUT       Cancelled Cancelled Cancelled -                 the rollback timed out after 45s without progress while waiting for
      ROLLBACK      FAILURE       Cancelled Cancelled Cancelled -                 the rollback failed
      ROLLBACK      SUPERSEDE     Succeeded Done      Done      hanging-0,redis   ∅
      ROLLBACK      DELETE        gone      -         -         -                 ∅
      ROLLBACK      PAUSE         Succeeded Done      Done      hanging-1,hanging-0,redis ∅
      """;

  /**
   * @param restarted pods that are taken away after the acknowledgement, in this order
   * @param message part of the change's or the task's message
   */
  record Row(
      Moment moment,
      Blow blow,
      String outcome,
      String sentinel,
      String redis,
      List<String> restarted,
      String message) {

    static Row of(String line) {
      var cells = line.strip().split(" +", 7);
      return new Row(
          Moment.valueOf(cells[0]),
          Blow.valueOf(cells[1]),
          cells[2],
          cells[3],
          cells[4],
          cells[5].equals("-")
              ? List.of()
              : Arrays.stream(cells[5].split(",")).map(Row::pod).toList(),
          cells[6].equals("∅") ? "" : cells[6]);
    }

    private static String pod(String name) {
      return name.equals("redis") ? "cache-redis-nodes-all-0" : "cache-sentinel-" + name;
    }

    boolean isGone() {
      return outcome.equals("gone");
    }

    @Override
    public String toString() {
      return moment + " × " + blow;
    }
  }

  private static final ConcurrentMap<Row, Future<Void>> CELLS = new ConcurrentHashMap<>();
  private static ExecutorService threads;

  static Stream<Row> rows() {
    var only = System.getProperty("cells", "");
    return TABLE.lines().map(Row::of).filter(row -> row.toString().contains(only));
  }

  @BeforeAll
  static void beginAll() {
    threads = Executors.newFixedThreadPool(AT_ONCE);
    rows().forEach(row -> CELLS.put(row, threads.submit(run(row))));
  }

  @AfterAll
  static void end() {
    threads.shutdownNow();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void shouldEndInADefinedState(Row row) throws Exception {
    CELLS.get(row).get();
  }

  private static Callable<Void> run(Row row) {
    return () -> {
      try (var cell = new LifeCell(row.moment(), row.blow())) {
        // Given
        cell.brought();
        var before = cell.restarts();
        // When
        hit(row, cell);
        // Then
        awaitEnd(row, cell);
        assertThatTheStatusIsTrue(row, cell);
        assertThatNothingElseWasDone(row, cell, before);
      }
      return null;
    };
  }

  private static void hit(Row row, LifeCell cell) {
    if (row.moment() == Moment.PLANNING && row.blow() == Blow.CANCEL_ONE) {
      assertThatThrownBy(cell::hit).hasStackTraceContaining("there are: none");
      cell.released();
      return;
    }
    cell.hit();
    if (row.moment() == Moment.BETWEEN_TASKS && row.outcome().equals("Cancelled")) {
      cell.hitAgain();
    }
    if (row.outcome().equals("Succeeded")) {
      cell.released();
    }
    if (row.blow() == Blow.PAUSE) {
      var before = cell.restarts();
      rest(Duration.ofSeconds(4));
      assertThat(cell.restarts()).as("while paused").isEqualTo(before);
      cell.resume();
    }
  }

  private static void awaitEnd(Row row, LifeCell cell) {
    if (row.isGone()) {
      await("App gone").atMost(Shop.PATIENCE).until(() -> cell.shop.app(NAME) == null);
    } else if (row.outcome().equals("Succeeded")) {
      cell.shop.awaitReady(NAME);
    } else {
      cell.app.awaitOutcome(row.outcome());
    }
    await("no workflow open").until(() -> cell.temporal.open(cell.shop.namespace).isEmpty());
  }

  private static void assertThatTheStatusIsTrue(Row row, LifeCell cell) {
    if (row.isGone()) {
      return;
    }
    var status = cell.shop.status(NAME);
    assertThat(phase(cell, "sentinel")).isEqualTo(row.sentinel());
    assertThat(phase(cell, "redis-nodes")).isEqualTo(row.redis());
    var said =
        status.change().message()
            + cell.tasks().stream().map(TaskStatus::error).toList()
            + superseded(cell);
    System.out.println(row + ": " + status.change().outcome() + ": " + said);
    assertThat(said).contains(row.message());
    assertThat(result(cell)).startsWith(status.change().outcome());
    if (row.moment() == Moment.RETRY_PAUSE && !row.outcome().equals("Succeeded")) {
      assertThatNoPodIsSaidToBeTouched(cell);
    }
    if (row.moment() == Moment.WAITING && row.message().equals("rolled back")) {
      var touched = cell.task("sentinel").orElseThrow().result();
      assertThat(touched.reverted()).containsExactly(cell.app.pod(1));
      assertThat(touched.left()).containsExactly(cell.app.pod(0));
    }
    if (row.outcome().equals("Succeeded")) {
      assertThat(cell.app.versions()).containsExactly("7.2");
      assertThat(Shop.condition(cell.shop.app(NAME), "PendingChange")).isEmpty();
    } else if (row.message().equals("rolled back")) {
      assertThat(cell.app.versions()).containsExactly("7.0");
    }
  }

  /** A plan that was made before the newer edit ends by itself. */
  private static List<String> superseded(LifeCell cell) {
    return cell.shop.events(NAME, Reasons.CHANGE_SUPERSEDED).stream()
        .map(Event::getMessage)
        .toList();
  }

  private static void assertThatNoPodIsSaidToBeTouched(LifeCell cell) {
    var result = cell.task("sentinel").orElseThrow().result();
    assertThat(result.done()).isNullOrEmpty();
    assertThat(result.reverted()).isNullOrEmpty();
    assertThat(result.left()).containsExactly(cell.app.pod(0), cell.app.pod(1));
  }

  /** What Temporal says of the last run; one that was cancelled has no result. */
  private static String result(LifeCell cell) {
    try {
      return cell.root().getResult(String.class);
    } catch (WorkflowFailedException e) {
      return switch (e.getCause()) {
        case CanceledFailure cancelled -> "Cancelled";
        case ApplicationFailure failure -> failure.getOriginalMessage();
        default -> e.toString();
      };
    }
  }

  private static String phase(LifeCell cell, String component) {
    return cell.task(component).map(TaskStatus::status).orElse("-");
  }

  /** A deletion takes workloads away, a rollback and a newer edit write them. */
  private static void assertThatNothingElseWasDone(Row row, LifeCell cell, List<String> before) {
    rest(Duration.ofSeconds(1));
    assertThat(cell.restarts())
        .isEqualTo(Stream.concat(before.stream(), row.restarted().stream()).toList());
    if (row.restarted().isEmpty() && !row.isGone() && !row.message().equals("rolled back")) {
      assertThat(cell.written()).isEmpty();
    }
  }

  private static void rest(Duration duration) {
    await().pollDelay(duration).atMost(duration.plusSeconds(5)).until(() -> true);
  }
}
