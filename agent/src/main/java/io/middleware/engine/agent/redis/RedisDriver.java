package io.middleware.engine.agent.redis;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.redis.RedisSwitchover.SwitchoverTimeouts;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.util.Map;
import java.util.Optional;

/** Drives the Redis of one pod; every answer is as Redis gives it at the moment of the call. */
public record RedisDriver(RedisGroup group) implements Driver {

  @Override
  public ReplicationRole role() {
    return group.self().replication().primary() ? ReplicationRole.PRIMARY : ReplicationRole.REPLICA;
  }

  /** Empty when all pods answer and none is; refused when that cannot be told. */
  @Override
  public Optional<String> primary() {
    var mine = group.self().replication();
    if (mine.primary()) {
      return Optional.of(group.pod());
    }
    var look = group.look(mine);
    var primaries = look.primaries();
    if (primaries.size() > 1 || primaries.isEmpty() && !look.isComplete(group.peers().expected())) {
      throw Status.UNAVAILABLE
          .withDescription(
              "cannot tell the primary: %s of the pods of %s's group say that they are, %d answered"
                  .formatted(primaries.size(), group.pod(), look.answers().size()))
          .asRuntimeException();
    }
    return primaries.stream().map(RedisPeer::pod).findFirst();
  }

  @Override
  public Optional<String> switchover(ProgressSink progress) throws InterruptedException {
    try {
      new RedisSwitchover(group, progress, SwitchoverTimeouts.USUAL).run();
    } catch (StatusRuntimeException e) {
      throw interruptedOr(e);
    }
    try {
      return primary();
    } catch (StatusRuntimeException e) {
      return Optional.empty(); // it has switched over, whoever has it now
    }
  }

  @Override
  public Map<String, String> reload(Map<String, String> parameters, ProgressSink progress)
      throws InterruptedException {
    if (parameters.isEmpty()) {
      return parameters;
    }
    try {
      var redis = group.self();
      var missing = RedisParameters.missing(parameters, redis.parameters(parameters.keySet()));
      if (!missing.isEmpty()) {
        redis.setParameters(missing);
      }
      return RedisParameters.inForce(parameters, redis.parameters(parameters.keySet()));
    } catch (StatusRuntimeException e) {
      throw interruptedOr(e);
    }
  }

  /** A replica holds nothing that others do not; a primary switches over. */
  @Override
  public void drain(ProgressSink progress) throws InterruptedException {
    switchover(progress);
  }

  /** A question that was interrupted fails like one that was not answered. */
  private static StatusRuntimeException interruptedOr(StatusRuntimeException e)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("%s".formatted(e.getMessage()));
    }
    return e;
  }
}
