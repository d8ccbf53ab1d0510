package io.middleware.engine.activities.status;

import io.middleware.engine.activities.status.AppStatusWriter.AppId;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows in an App's status what takes long: how far an agent is, or what keeps a pod from being
 * taken. Of several at a time the one that spoke last is shown. What an action that failed, or a
 * dead process, has left there says what it was at, and goes with the next report of the change.
 */
public final class ActionProgressWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ActionProgressWriter.class);

  /** What takes less is not shown, and what is shown stands as long. */
  static final Duration PACE = Duration.ofSeconds(2);

  private final BiConsumer<AppId, Function<App, Optional<AppStatus>>> writer;
  private final InstantSource clock;

  public ActionProgressWriter(AppStatusWriter writer) {
    this(writer::write, InstantSource.system());
  }

  ActionProgressWriter(
      BiConsumer<AppId, Function<App, Optional<AppStatus>>> writer, InstantSource clock) {
    this.writer = writer;
    this.clock = clock;
  }

  /** For an action that begins now. */
  public Action open(ChangeRef change) {
    return new Action(change);
  }

  /**
   * An action of a change; for one thread at a time. It is written in the background, as nothing
   * waits for it, and what cannot be written is a line in the log and no more.
   */
  public final class Action {
    private final ChangeRef change;
    private Instant next = clock.instant().plus(PACE);
    private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);
    private String shown;

    private Action(ChangeRef change) {
      this.change = change;
    }

    /** Shows this, if it is time to; again when others have written over it meanwhile. */
    public void tell(String words) {
      if (!clock.instant().isBefore(next) && written.isDone()) {
        next = clock.instant().plus(PACE);
        shown = words;
        write(app -> showing(app, change, words));
      }
    }

    /** It has succeeded: takes away what it has shown. */
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

  /** Empty when another run has claimed the App, or the change has ended. */
  private static Optional<AppStatus> showing(App app, ChangeRef change, String words) {
    return Optional.ofNullable(app.getStatus())
        .filter(status -> status.change() != null && status.change().outcome() == null)
        .filter(status -> change.runId().equals(status.change().runId()))
        .map(status -> AppStatusFactory.withProgress(status, words));
  }

  /** Empty when something else is shown. */
  private static Optional<AppStatus> hiding(App app, ChangeRef change, String words) {
    return showing(app, change, null)
        .filter(bare -> words.equals(app.getStatus().change().progress()));
  }
}
