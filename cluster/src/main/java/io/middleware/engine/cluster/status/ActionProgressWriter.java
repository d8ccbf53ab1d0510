package io.middleware.engine.cluster.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.cluster.ObservedRunLock;
import io.middleware.engine.cluster.status.AppStatusWriter.AppId;
import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the progress of long actions in the App's status: how far an agent is, or what keeps a pod
 * from being evicted. When several actions run at a time, the last report is shown. The report of
 * an action that failed, or whose process died, remains until the change's next report replaces it.
 */
public final class ActionProgressWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ActionProgressWriter.class);

  /** Shorter actions are not shown. Reports are written at most this often. */
  static final Duration PACE = Duration.ofSeconds(2);

  private final BiConsumer<AppId, Function<App, Optional<AppStatus>>> writer;
  private final InstantSource clock;
  private final SensitiveValues secrets;

  /**
   * @param secrets are not shown in a report
   */
  public ActionProgressWriter(AppStatusWriter writer, SensitiveValues secrets) {
    this(writer::write, InstantSource.system(), secrets);
  }

  ActionProgressWriter(
      BiConsumer<AppId, Function<App, Optional<AppStatus>>> writer,
      InstantSource clock,
      SensitiveValues secrets) {
    this.writer = writer;
    this.clock = clock;
    this.secrets = secrets;
  }

  /** Starts an action of this change. */
  public Action open(ChangeRef change) {
    return new ShownAction(change, clock.instant().plus(PACE));
  }

  /** The same of an action that takes long already: it is shown at once. */
  public Action openLong(ChangeRef change) {
    return new ShownAction(change, clock.instant());
  }

  /**
   * An action of a change; for one thread at a time. Reports are written in the background, as
   * nothing waits for them. A report that cannot be written is only logged.
   */
  public interface Action {
    /** Shows the message, unless the last report is too recent or still being written. */
    void report(String message);

    /** The action has succeeded: removes its report from the status. */
    void done();
  }

  private final class ShownAction implements Action {
    private final ChangeRef change;
    private Instant next;
    private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);
    private String shown;

    ShownAction(ChangeRef change, Instant first) {
      this.change = change;
      this.next = first;
    }

    @Override
    public void report(String message) {
      if (change.shared()) {
        return; // the App's status says nothing about it
      }
      if (!clock.instant().isBefore(next) && written.isDone()) {
        next = clock.instant().plus(PACE);
        var clean = secrets.hide(change.uid(), message);
        shown = clean;
        write(app -> showing(app, change, clean).map(it -> holding(app, it, clean)));
      }
    }

    @Override
    public void done() {
      if (shown != null) {
        write(app -> hiding(app, change, shown));
      }
    }

    private void write(Function<App, Optional<AppStatus>> part) {
      var app = new AppId(change.namespace(), change.app(), change.uid());
      written = written.thenRunAsync(() -> attempt(app, part), Thread::startVirtualThread);
    }

    private void attempt(AppId app, Function<App, Optional<AppStatus>> part) {
      try {
        writer.accept(app, part);
      } catch (RuntimeException e) {
        LOG.atWarn().setCause(e).log("could not write the progress to the App's status");
      }
    }
  }

  /** Empty when another run holds the run lock, or the change has ended. */
  private static Optional<AppStatus> showing(App app, ChangeRef change, String message) {
    return Optional.ofNullable(app.getStatus())
        .filter(status -> new ObservedRunLock(app).isHeldBy(change))
        .map(status -> AppStatusFactory.withProgress(status, message));
  }

  /** While the App is deleted, its conditions name what holds that. */
  private AppStatus holding(App app, AppStatus status, String message) {
    if (!app.isMarkedForDeletion()) {
      return status;
    }
    var blocked =
        new Conditions(Optional.of(status), status.change().generation(), clock.instant());
    blocked.set(Reasons.TEARDOWN_BLOCKED, true, Reasons.PODS_REMAIN, message);
    var others = status.conditions().stream().filter(it -> !isHolding(it));
    return withConditions(status, Stream.concat(others, blocked.all().stream()));
  }

  private static AppStatus withConditions(AppStatus status, Stream<Condition> conditions) {
    return AppStatusFactory.part(
            status.observedGeneration(),
            status.acceptedGeneration(),
            status.change(),
            status.tasks(),
            status.pendingChange(),
            conditions.toList())
        .withOperation(status.operation());
  }

  private static boolean isHolding(Condition condition) {
    return Reasons.TEARDOWN_BLOCKED.equals(condition.getType());
  }

  /** Empty when the status shows another report. */
  private static Optional<AppStatus> hiding(App app, ChangeRef change, String message) {
    return showing(app, change, null)
        .filter(bare -> message.equals(app.getStatus().progress()))
        .map(bare -> withConditions(bare, bare.conditions().stream().filter(it -> !isHolding(it))));
  }
}
