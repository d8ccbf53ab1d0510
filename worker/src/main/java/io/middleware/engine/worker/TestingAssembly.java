package io.middleware.engine.worker;

import com.google.common.base.Suppliers;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.objects.ApiResources;
import io.middleware.engine.activities.testing.KubernetesIntegrationTestActivities;
import io.middleware.engine.activities.testing.TemporalChecksMemory;
import io.middleware.engine.activities.testing.TestAccounts;
import io.middleware.engine.activities.testing.TestRunLookup;
import io.middleware.engine.activities.testing.load.KubernetesLoadTestActivities;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.runs.TemporalRunLookup;
import io.middleware.engine.planning.condition.HttpSources;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** Builds the activities of IntegrationTests and LoadTests. */
final class TestingAssembly {
  /** A new Plugin is used by an App only some time after it was applied. */
  private static final Duration PLUGINS_KEPT = Duration.ofSeconds(5);

  private TestingAssembly() {}

  /**
   * All of them.
   *
   * @param client with the engine's own rights; of its own, as tests look at the cluster every
   *     second, and changes are not to wait for them
   * @param namespace the engine's own
   * @param http what conditions ask over HTTP
   * @param clock that all workers have in common
   */
  static Object[] activities(
      KubernetesClient client,
      ClusterView view,
      String namespace,
      HttpSources http,
      InstantSource clock) {
    var sensitive =
        Suppliers.memoizeWithExpiration(
            () -> new Plugins(client, namespace, List.of()).sensitive(), PLUGINS_KEPT);
    var accounts =
        new TestAccounts(
            new ImpersonatedClients(client, ""), new ApiResources(client), sensitive::get);
    var lookup = new TemporalRunLookup();
    TestRunLookup runs = test -> lookup.isNewest(test.workflowId(), test.runId());
    var heartbeat = new ClusterWaiter(view).heartbeat();
    return new Object[] {
      new KubernetesIntegrationTestActivities(
          new KubernetesIntegrationTestActivities.Context(
              client, accounts, runs, heartbeat, new TemporalChecksMemory(), http, clock)),
      new KubernetesLoadTestActivities(client, accounts, runs, http, clock)
    };
  }
}
