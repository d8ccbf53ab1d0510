package io.middleware.engine.activities.status;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.status.AppStatusWriter.AppId;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.workflows.port.ChangeRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows in an App's status how far an agent is with an action that takes long. Of several at a time
 * the one that spoke last is shown. What a dead process has left there goes with the next report of
 * the change.
 */
public final class ActionBoard {
  private static final Logger LOG = LoggerFactory.getLogger(ActionBoard.class);

  /** What takes less is not shown, and what is shown stands as long. */
  private static final Duration PACE = Duration.ofSeconds(2);

  private final AppStatusWriter writer;
  private final InstantSource clock;

  /**
   * @param client with the engine's own rights
   */
  public ActionBoard(KubernetesClient client, InstantSource clock) {
    this.writer = new AppStatusWriter(client);
    this.clock = clock;
  }

  /** For an action that begins now. */
  public Action open(ChangeRef change) {
    return new Action(change);
  }

  /** An action of a change. What cannot be written is a line in the log and no more. */
  public final class Action implements AutoCloseable {
    private final ChangeRef change;
    private Instant next = clock.instant().plus(PACE);
    private String shown;

    private Action(ChangeRef change) {
      this.change = change;
    }

    /** Shows this, if it is time to. */
    public void tell(String words) {
      if (!clock.instant().isBefore(next) && !words.equals(shown)) {
        write(app -> showing(app, change, words));
        shown = words;
        next = clock.instant().plus(PACE);
      }
    }

    /** Takes away what it has shown. */
    @Override
    public void close() {
      if (shown != null) {
        write(app -> hiding(app, change, shown));
      }
    }

    private void write(Function<App, Optional<AppStatus>> part) {
      try {
        writer.write(new AppId(change.namespace(), change.app(), change.uid()), part);
      } catch (ApplicationFailure e) {
        LOG.atWarn().setCause(e).log("progress not shown");
      }
    }
  }

  /** Empty when another run has claimed the App, or the change has ended. */
  static Optional<AppStatus> showing(App app, ChangeRef change, String words) {
    return Optional.ofNullable(app.getStatus())
        .filter(status -> status.change() != null && status.change().outcome() == null)
        .filter(status -> change.runId().equals(status.change().runId()))
        .map(status -> AppStatusFactory.withProgress(status, words));
  }

  /** Empty when something else is shown. */
  static Optional<AppStatus> hiding(App app, ChangeRef change, String words) {
    return showing(app, change, null)
        .filter(bare -> Objects.equals(words, app.getStatus().change().progress()));
  }
}
