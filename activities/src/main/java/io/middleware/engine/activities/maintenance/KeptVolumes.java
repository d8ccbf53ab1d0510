package io.middleware.engine.activities.maintenance;

import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.TerminatingClaims;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.PodActivities.DrainRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps pods that are about to be taken away, while their volumes would go with them ({@link
 * TerminatingClaims}).
 */
final class KeptVolumes {
  /** Between two reads of the claims; an annotation or a pod that goes is noticed at once. */
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final PodStepContext context;
  private final DrainRequest request;

  KeptVolumes(PodStepContext context, DrainRequest request) {
    this.context = context;
    this.request = request;
  }

  /** Returns when none of the pods would lose its volume. */
  void await() {
    var progress = context.reporter().progressOf(change());
    var runLock = context.gate().watch(change());
    var why = kept();
    while (why.isPresent()) {
      var message = why.get();
      var before = observed();
      context
          .waiter()
          .until(
              AppKey.of(change()),
              PAUSE,
              runLock.guard(
                  () -> {
                    progress.report(message);
                    return before.equals(observed()) ? Optional.of(message) : Optional.empty();
                  }));
      why = kept();
    }
    progress.done();
  }

  private Optional<String> kept() {
    var app = context.gate().pass(change());
    var why = context.evictor().claims().keep(app, change().generation(), pods());
    why.ifPresent(it -> context.reporter().kept(app, change(), request.group().group(), it));
    return why;
  }

  /** What decides: who is still there, and what the user accepts. */
  private Observed observed() {
    var app = context.view().app(AppKey.of(change()));
    return new Observed(
        pods().stream().map(PodState::uid).toList(),
        app.filter(it -> it.acceptsDataLoss(change().generation()) || it.isDeletedByForce())
            .isPresent());
  }

  private record Observed(List<String> pods, boolean accepted) {}

  private List<PodState> pods() {
    var uids = request.pods().stream().map(LeavingPod::uid).toList();
    return context.view().pods(AppKey.of(change())).stream()
        .filter(pod -> uids.contains(pod.uid()) && !pod.isTerminating())
        .toList();
  }

  private ChangeRef change() {
    return request.group().change();
  }
}
