package io.middleware.engine.worker;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.kubernetes.Heartbeat;
import io.middleware.engine.activities.kubernetes.ImpersonatedClients;
import io.middleware.engine.activities.testing.KubernetesIntegrationTestActivities;
import io.middleware.engine.activities.testing.KubernetesLoadTestActivities;
import io.middleware.engine.activities.testing.TemporalChecksMemory;
import io.middleware.engine.activities.testing.TemporalTestRuns;
import java.time.InstantSource;

/** Builds the activities of IntegrationTests and LoadTests. */
final class TestAssembly {
  private TestAssembly() {}

  /**
   * All of them.
   *
   * @param client with the engine's own rights
   * @param accounts act as the service accounts that tests name
   */
  static Object[] activities(
      KubernetesClient client,
      ImpersonatedClients accounts,
      Heartbeat heartbeat,
      InstantSource clock) {
    var runs = new TemporalTestRuns();
    return new Object[] {
      new KubernetesIntegrationTestActivities(
          new KubernetesIntegrationTestActivities.Context(
              client, accounts, runs, heartbeat, new TemporalChecksMemory(), clock)),
      new KubernetesLoadTestActivities(client, accounts, runs, clock)
    };
  }
}
