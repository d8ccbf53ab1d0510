package io.middleware.engine.watcher.testing;

import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.api.Labels;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.request.ReleasedRequestContract;
import io.middleware.engine.watcher.request.RequestSubmissions;
import java.time.InstantSource;
import java.util.List;

/** The same for both kinds of tests. */
abstract class HeldTestContract<T extends CustomResource<?, ?>> extends ReleasedRequestContract<T> {
  private final Class<T> type;
  private final String workflows;

  /**
   * @param workflows with which the ids begin
   */
  HeldTestContract(LocalCluster cluster, LocalTemporal server, Class<T> type, String workflows) {
    super(cluster, server, Labels.TEST);
    this.type = type;
    this.workflows = workflows;
  }

  final TestReconcilers reconcilers() {
    var submissions =
        new RequestSubmissions(cluster().client(), temporal.calls, InstantSource.system());
    return new TestReconcilers(submissions, temporal.cluster, submissions.clock());
  }

  @Override
  public final T create(String name) {
    return cluster().create(type, SampleTests.YAML.get(type).formatted(name));
  }

  @Override
  protected final String workflowId(String name) {
    return "%s/%s/%s".formatted(workflows, cluster().namespace(), name);
  }

  @Override
  protected final List<String> phases() {
    return List.of("Running", "Passed");
  }
}
