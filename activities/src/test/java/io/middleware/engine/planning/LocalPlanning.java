package io.middleware.engine.planning;

import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.json.LenientObjects;

/** Planning as the worker builds it, for one namespace. */
final class LocalPlanning {
  private LocalPlanning() {}

  static KubernetesPlanningActivities of(LocalEngine engine) {
    var cluster = engine.cluster;
    return new KubernetesPlanningActivities(
        cluster.client(),
        new ClusterReader(
            cluster.client(), cluster.namespace(), new LenientObjects(), engine.plugins),
        engine.renderer,
        engine.writers,
        new PlanningPolicy(Fixtures.POLICIES, Fixtures.ENDPOINTS, 10),
        engine.locks,
        engine.secrets,
        engine.heartbeats::add);
  }
}
