package io.middleware.engine.agent.redis;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.account.PasswordRotation;
import io.middleware.engine.agent.backup.BackupActions;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.OutdatedSecret;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.redis.RedisSwitchover.SwitchoverTimeouts;
import io.middleware.engine.agent.replication.ReplicationRole;
import io.middleware.engine.agent.replication.RoleClaim;
import io.middleware.engine.agent.store.StoreSource;
import io.middleware.engine.agent.tls.CertificateFiles;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Controls the Redis of one pod; every answer reflects the moment of the call.
 *
 * @param data the folder of its data, if the agent has it
 * @param backups where its backups are kept, if anywhere
 */
public record RedisDriver(
    RedisGroup group, Optional<Path> data, Optional<? extends StoreSource> backups)
    implements Driver {

  @Override
  public ReplicationRole role() {
    return group.own().primary() ? ReplicationRole.PRIMARY : ReplicationRole.REPLICA;
  }

  @Override
  public RoleClaim claim() {
    var own = group.own();
    return own.claim(() -> stays(own));
  }

  /** Sentinels demote any other primary; without them, the agents let one stay that is alone. */
  private boolean stays(ReplicationState own) {
    return group.self().isWatchedBySentinels()
        || group.snapshot(own).isOnePrimaryOf(group.peers().expected());
  }

  @Override
  public String roleSign() {
    return group.self().role();
  }

  /**
   * A certificate that is refused, a primary that refuses writes, or a replica without a link to
   * its primary.
   */
  @Override
  public Optional<String> trouble() {
    var refusal = group.servers().tls().flatMap(CertificateFiles::refusal);
    if (refusal.isPresent()) {
      return refusal;
    }
    var own = group.self().replication();
    if (own.primary()) {
      return group
          .self()
          .refusalOfWrites()
          .or(() -> fence().missingReplicas())
          .map("refuses writes: "::concat);
    }
    return own.link() == ReplicationState.Link.DOWN
        ? Optional.of("its link to its primary %s is down".formatted(own.primaryAddress()))
        : Optional.empty();
  }

  /** Empty when all pods answer and none is primary; UNAVAILABLE when that is uncertain. */
  @Override
  public Optional<String> primary() {
    var own = group.own();
    if (own.primary()) {
      return Optional.of(group.pod());
    }
    var snapshot = group.snapshot(own);
    var primaries = snapshot.primaries();
    if (primaries.size() > 1
        || primaries.isEmpty() && !snapshot.isComplete(group.peers().expected())) {
      throw Status.UNAVAILABLE
          .withDescription(
              "cannot determine the primary of the group of %s: %d pods answered, of which %d are primary"
                  .formatted(group.pod(), snapshot.states().size(), primaries.size()))
          .asRuntimeException();
    }
    return primaries.stream().map(RedisPeer::pod).findFirst();
  }

  @Override
  public Optional<String> switchover(Optional<String> successor, ProgressSink progress)
      throws InterruptedException {
    try {
      new RedisSwitchover(group, successor, progress, SwitchoverTimeouts.DEFAULT).run();
    } catch (StatusRuntimeException e) {
      throw interruptedOr(e);
    }
    try {
      return primary();
    } catch (StatusRuntimeException e) {
      return Optional.empty(); // the switchover is done, but the new primary is unknown
    }
  }

  @Override
  public Optional<OutdatedSecret> outdatedSecret(String salt, Map<String, String> digests) {
    return group.servers().accounts().outdated(RedisAccounts.ACCOUNTS, salt, digests);
  }

  @Override
  public Map<String, String> reload(Map<String, String> parameters, ProgressSink progress)
      throws InterruptedException {
    if (parameters.isEmpty()) {
      return parameters;
    }
    try {
      var others = new TreeMap<>(parameters);
      var inForce = new TreeMap<>(accounts().reload(others));
      inForce.putAll(new RedisTls(group, data).reload(others));
      if (!others.isEmpty()) {
        var start = new StartSwitch(data);
        inForce.putAll(new RedisReload(group.pod(), group.self(), start, others, progress).run());
      }
      return inForce;
    } catch (StatusRuntimeException e) {
      throw interruptedOr(e);
    }
  }

  /** Its accounts. */
  public RedisAccounts accounts() {
    return new RedisAccounts(group, data);
  }

  /** A replica has nothing that other pods lack; a primary switches over. */
  @Override
  public void drain(ProgressSink progress) throws InterruptedException {
    switchover(Optional.empty(), progress);
  }

  /** See {@link RedisPersistence}. */
  @Override
  public void persist(boolean beforeEnd, ProgressSink progress) throws InterruptedException {
    try {
      new RedisPersistence(group.self(), progress).run(beforeEnd);
    } catch (StatusRuntimeException e) {
      throw interruptedOr(e);
    }
  }

  @Override
  public void resume() {
    fence().lift();
  }

  private WriteFence fence() {
    return new WriteFence(group.self(), InstantSource.system());
  }

  /** Knows {@code lag}, see {@link PrimaryDistance}, and {@code restored}, the number of keys. */
  @Override
  public String measure(String question) {
    return switch (question) {
      case "lag" -> String.valueOf(new PrimaryDistance(group).bytes());
      case "restored" -> KeyCount.of(group.self().info("keyspace")) + " keys";
      default -> Driver.super.measure(question);
    };
  }

  /** Rotates passwords, see {@link RedisAccounts}, and backs up, see {@link BackupActions}. */
  @Override
  public ActionOutput runAction(ActionRequest request, ProgressSink progress)
      throws InterruptedException {
    try {
      var rotation = PasswordRotation.of(request);
      if (rotation.isPresent()) {
        return PasswordRotation.answer(accounts().rotate(rotation.get()));
      }
      return new BackupActions(new RedisBackup(group.self()), backups, progress).run(request);
    } catch (StatusRuntimeException e) {
      throw interruptedOr(e);
    }
  }

  /** An interrupted command fails like one without an answer. */
  private static StatusRuntimeException interruptedOr(StatusRuntimeException e)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("%s".formatted(e.getMessage()));
    }
    return e;
  }
}
