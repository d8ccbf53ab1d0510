package io.middleware.engine.watcher;

import io.middleware.engine.api.App;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What is submitted for an App, one after the other. An edit comes before the control requests for
 * its change. Each part says when the App is to be reconciled again if nothing happens before.
 */
record SubmissionOrder(
    Function<App, Optional<Duration>> edit,
    Function<App, Optional<Duration>> controls,
    Function<App, Optional<Duration>> schedule) {

  /** Submits all parts; returns the earliest time that one of them says. */
  Optional<Duration> submit(App app) {
    return Stream.of(edit.apply(app), controls.apply(app), schedule.apply(app))
        .flatMap(Optional::stream)
        .min(Duration::compareTo);
  }
}
