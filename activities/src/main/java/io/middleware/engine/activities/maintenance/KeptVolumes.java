package io.middleware.engine.activities.maintenance;

import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.TerminatingClaims;
import io.middleware.engine.api.App;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.PodActivities.DrainRequest;
import io.middleware.engine.workflows.port.Preparation;
import java.util.Optional;

/**
 * Keeps pods that are about to be taken away, while their volumes would go with them ({@link
 * TerminatingClaims}).
 */
final class KeptVolumes {
  private final PodStepContext context;
  private final DrainRequest request;
  private final DataLoss loss;

  KeptVolumes(PodStepContext context, DrainRequest request) {
    this.context = context;
    this.request = request;
    this.loss = new DataLoss(context, request.change());
  }

  /** Returns when none of the pods would lose its volume. */
  void await() {
    var app = context.gate().pass(change());
    for (var why = kept(app); why.isPresent(); why = kept(app)) {
      loss.refuse(app, request.group().group(), why.get());
      app = context.gate().pass(change());
    }
    loss.done();
  }

  private Optional<String> kept(App app) {
    var names = request.pods(Preparation.KEEP_VOLUMES).stream().map(LeavingPod::name).toList();
    var pods =
        context.view().pods(AppKey.of(change())).stream()
            .filter(pod -> names.contains(pod.name()) && !pod.isTerminating())
            .toList();
    return context.evictor().claims().keep(app, change().generation(), pods);
  }

  private ChangeRef change() {
    return request.change();
  }
}
