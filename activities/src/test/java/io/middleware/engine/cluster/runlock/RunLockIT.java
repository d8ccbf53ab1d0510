package io.middleware.engine.cluster.runlock;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.change.ChangeStatus;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.status.AppStatusFactory;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(ApiServer.class)
class RunLockIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final App app;

  RunLockIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.app = cluster.createApp();
  }

  @Test
  void shouldBeHeldByTheRunThatAcquiredIt() {
    // When
    var acquired = engine.lock.acquire(cluster.change(app, "run-1")).orElseThrow();
    // Then
    assertThat(acquired.terminated()).isEmpty();
    assertThat(holder()).isEqualTo("run-1");
    assertThat(engine.fence.check(cluster.change(app, "run-1")).getMetadata().getUid())
        .isEqualTo(app.getMetadata().getUid());
  }

  @Test
  void shouldWriteNothingWhenTheHolderAcquiresItAgain() {
    // Given
    engine.lock.acquire(cluster.change(app, "run-1"));
    var version = cluster.now(app).getMetadata().getResourceVersion();
    // When
    engine.lock.acquire(cluster.change(app, "run-1"));
    // Then
    assertThat(cluster.now(app).getMetadata().getResourceVersion()).isEqualTo(version);
  }

  @Test
  void shouldStopTheFormerHolder() {
    // Given
    engine.lock.acquire(cluster.change(app, "run-1"));
    engine.openRun = "run-2";
    // When
    engine.lock.acquire(cluster.change(app, "run-2"));
    // Then
    assertThat(holder()).isEqualTo("run-2");
    assertSuperseded(cluster.change(app, "run-1"));
  }

  @Test
  void shouldEndTheRunThatWasTerminated() {
    // Given
    engine.lock.acquire(cluster.change(app, "run-1"));
    engine.openRun = "run-2";
    // When
    var acquired = engine.lock.acquire(cluster.change(app, "run-2")).orElseThrow();
    // Then
    var message =
        "run run-1 of generation 1 was terminated or reset before it ended; run run-2 continues from"
            + " there";
    assertThat(acquired.terminated()).contains(message);
    assertThat(cluster.events())
        .extracting(event -> event.getReason() + ": " + event.getNote())
        .containsExactly("ChangeTerminated: generation 1: terminated: " + message);
  }

  @Test
  void shouldRenewItForTheRunThatAResetHasMade() {
    // Given
    engine.lock.acquire(cluster.change(app, "run-1"));
    engine.openRun = "run-2";
    // When
    engine.fence.check(cluster.change(app, "run-2"));
    // Then
    assertThat(holder()).isEqualTo("run-2");
    assertSuperseded(cluster.change(app, "run-1"));
  }

  /** As of a run that was reset past its plan, or that came back with a restored database. */
  @Test
  void shouldNotBeRenewedForARunOfAnOlderGeneration() {
    // Given
    engine.lock.acquire(cluster.change(app, "run-1"));
    var edited = cluster.editApp(yaml -> yaml.replace("100mb", "200mb"));
    engine.openRun = "run-2";
    engine.lock.acquire(cluster.change(edited, "run-2"));
    var version = cluster.now(app).getMetadata().getResourceVersion();
    // When
    engine.openRun = "run-3";
    // Then
    assertThat(cluster.change(edited, "run-3").generation()).isEqualTo(2);
    assertSuperseded(
        cluster.change(app, "run-3"),
        "generation 2 has already begun; run run-3 of generation 1 is out of date");
    assertThat(cluster.now(app).getMetadata().getResourceVersion()).isEqualTo(version);
    // and for one that continues the newest change
    engine.fence.check(cluster.change(edited, "run-3"));
    assertThat(holder()).isEqualTo("run-3");
  }

  @Test
  void shouldNotBeRenewedOnceTheChangeHasEnded() {
    // Given
    engine.begin(app);
    end();
    // When
    engine.openRun = "run-2";
    // Then
    assertSuperseded(
        cluster.change(app, "run-2"),
        "generation 1 has already ended; run run-2 of generation 1 is out of date");
    assertThat(holder()).isEqualTo("run-1");
    // and a run that plans again acquires it
    engine.lock.acquire(cluster.change(app, "run-2"));
    engine.fence.check(cluster.change(app, "run-2"));
  }

  @Test
  void shouldNotBeHeldByARunThatHasReportedItsEnd() {
    // Given
    var change = engine.begin(app);
    // When
    end();
    // Then
    assertSuperseded(
        change, "generation 1 has already ended; run run-1 of generation 1 is out of date");
  }

  @Test
  void shouldNotBeAcquiredByARunThatIsNotTheOpenOne() {
    // Given
    engine.begin(app);
    end();
    // When
    engine.openRun = "run-3";
    // Then
    assertThatThrownBy(() -> engine.lock.acquire(cluster.change(app, "run-2")))
        .hasMessageContaining("run run-2 is not its open run; nothing is planned");
    assertThat(holder()).isEqualTo("run-1");
  }

  /** As {@code kubectl patch --subresource=status} does. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"change\": {\"runId\": \"foreign\"}}",
        "{\"change\": {\"runId\": \"foreign\", \"generation\": 999}}",
        "{\"change\": {\"runId\": \"foreign\", \"generation\": 0}}",
        "{\"change\": {\"runId\": null, \"generation\": null}}",
        "{\"change\": null}",
        "{\"change\": {\"outcome\": \"Succeeded\"}}",
        "{\"change\": {\"outcome\": \"Failed\", \"completedAt\": \"2026-11-21T10:00:00Z\"}}",
        "{\"operation\": {\"name\": \"a\", \"uid\": \"b\", \"runId\": \"c\"}}"
      })
  void shouldStayWithTheOpenRunWhateverSomebodyElseWrites(String foreign) {
    // Given
    var change = engine.begin(app);
    cluster.patchStatus(foreign);
    // When
    engine.fence.check(change);
    // Then
    assertThat(holder()).isEqualTo("run-1");
    assertThat(cluster.now(app).getStatus().change().generation()).isEqualTo(1);
    // and the next run acquires it
    cluster.patchStatus(foreign);
    engine.openRun = "run-2";
    engine.lock.acquire(cluster.change(app, "run-2"));
    assertThat(holder()).isEqualTo("run-2");
  }

  @Test
  void shouldRemoveAnEndThatSomebodyElseHasWrittenAndSaySo() {
    // Given
    var change = engine.begin(app);
    cluster.patchStatus(
        "{\"change\": {\"outcome\": \"Succeeded\", \"completedAt\": \"2026-11-21T10:00:00Z\"}}");
    // When
    engine.fence.check(change);
    // Then
    var status = cluster.now(app).getStatus().change();
    assertThat(status.outcome()).isNull();
    assertThat(status.completedAt()).isNull();
    assertThat(cluster.events())
        .extracting(event -> event.getReason() + ": " + event.getNote())
        .singleElement(as(STRING))
        .startsWith(
            "StatusCorrected: status.change.completedAt, status.change.outcome: removed, as only"
                + " Middleware Engine writes there; the status was also written by ");
  }

  @Test
  void shouldNotHoldADeletionByForceWhenItCannotBeWritten() {
    // Given
    engine.begin(app);
    end();
    var deleted = cluster.deleteByForce(app);
    engine.openRun = "run-2";
    var change = cluster.change(deleted, "run-2");
    cluster.refuseStatusWrites();
    // When
    var acquired = engine.lock.acquire(change).orElseThrow();
    // Then
    assertThat(acquired.app().isDeletedByForce()).isTrue();
    assertThat(engine.fence.check(change).isDeletedByForce()).isTrue();
    assertThat(holder()).isEqualTo("run-1");
    // and only the open run goes on
    assertSuperseded(cluster.change(deleted, "run-3"));
  }

  @Test
  void shouldNotBeOfALaterAppOfTheSameName() {
    // Given
    var change = engine.begin(app);
    cluster.client().resource(app).delete();
    var later = cluster.createApp();
    // When
    var acquired = engine.lock.acquire(change);
    // Then
    assertThat(acquired).isEmpty();
    assertThat(cluster.now(later).getStatus()).isNull();
    assertSuperseded(change);
  }

  @Test
  void shouldReadAgainWhenAnotherHasWrittenInBetween() {
    // Given
    var change = engine.begin(app);
    var reads = new AtomicInteger();
    // When
    var written =
        engine.status.write(
            new AppId(cluster.namespace(), "cache", change.uid()),
            now -> {
              if (reads.incrementAndGet() == 1) {
                cluster.editApp(yaml -> yaml.replace("100mb", "200mb"));
              }
              return Optional.of(AppStatusFactory.locked(now, cluster.change(now, "run-2")));
            });
    // Then
    assertThat(reads).hasValue(2);
    assertThat(written.orElseThrow().before().getMetadata().getGeneration()).isEqualTo(2);
    assertThat(holder()).isEqualTo("run-2");
  }

  @Test
  void shouldBeHeldByTheOpenRunHoweverManyAcquireItTogether() {
    // Given
    var all = new ArrayList<Future<?>>();
    // When
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var run = 1; run <= 4; run++) {
        var change = cluster.change(app, "run-" + run);
        all.add(threads.submit(() -> engine.lock.acquire(change)));
      }
    }
    // Then
    assertThat(all).allSatisfy(one -> assertThat(one).isDone());
    assertThat(holder()).isEqualTo("run-1");
    engine.fence.check(cluster.change(app, "run-1"));
    for (var run = 2; run <= 4; run++) {
      assertSuperseded(cluster.change(app, "run-" + run));
    }
  }

  private void end() {
    engine.status.write(
        new AppId(cluster.namespace(), "cache", app.getMetadata().getUid()),
        now ->
            Optional.of(
                AppStatusFactory.terminated(now, cluster.change(now, "next"), Instant.now())));
  }

  private void assertSuperseded(ChangeRef change, String message) {
    assertSuperseded(change);
    assertThatThrownBy(() -> engine.fence.check(change)).hasMessageContaining(message);
  }

  private void assertSuperseded(ChangeRef change) {
    assertThatThrownBy(() -> engine.fence.check(change))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Superseded"));
  }

  private String holder() {
    return Optional.of(cluster.now(app))
        .map(App::getStatus)
        .map(AppStatus::change)
        .map(ChangeStatus::runId)
        .orElse("nobody");
  }
}
