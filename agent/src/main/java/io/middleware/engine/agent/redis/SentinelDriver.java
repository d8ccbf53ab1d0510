package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.util.Map;
import java.util.Optional;

/** Controls the Sentinel of one pod. No Sentinel is primary. */
public record SentinelDriver(SentinelWatch watch) implements Driver {

  @Override
  public ReplicationRole role() {
    return ReplicationRole.REPLICA;
  }

  @Override
  public String roleName() {
    return "sentinel";
  }

  @Override
  public Optional<String> trouble() {
    return watch.quorumProblem();
  }

  @Override
  public Optional<String> primary() {
    return Optional.empty();
  }

  @Override
  public Map<String, String> reload(Map<String, String> parameters, ProgressSink progress) {
    return watch.reload(parameters);
  }
}
