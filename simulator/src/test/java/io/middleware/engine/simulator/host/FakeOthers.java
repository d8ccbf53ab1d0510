package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.simulator.host.HostedPod.HostContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** What hosted pods share in a test of one pod: there are no others. */
final class FakeOthers implements OtherHostedPods, AutoCloseable {
  private final RedisServers servers = new RedisServers();
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

  HostContext context(FakeCluster cluster, HostSettings settings) {
    return new HostContext(cluster.client(), settings, servers, this, scheduler);
  }

  @Override
  public List<Pod> pods(String namespace) {
    return List.of();
  }

  @Override
  public List<String> addresses(String namespace, String set) {
    return List.of();
  }

  @Override
  public Map<String, String> roles(String namespace, List<String> pods) {
    return Map.of();
  }

  @Override
  public void close() {
    servers.close();
    scheduler.shutdownNow();
  }
}
