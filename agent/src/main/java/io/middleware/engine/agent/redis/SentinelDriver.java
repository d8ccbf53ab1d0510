package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.account.PasswordRotation;
import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.agent.replication.ReplicationRole;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

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
    var options = new TreeMap<>(parameters);
    var accounts = new TreeMap<>(parameters);
    options.keySet().remove(RedisAccounts.ENGINE_PASSWORD); // it is followed in its file
    accounts.keySet().removeAll(options.keySet());
    var inForce = new TreeMap<>(watch.reload(options));
    inForce.putAll(accounts);
    return inForce;
  }

  /** Uses a password that is rotated: nobody logs in to a Sentinel. */
  @Override
  public ActionOutput runAction(ActionRequest request, ProgressSink progress)
      throws InterruptedException {
    var rotation = PasswordRotation.of(request);
    return rotation.isPresent()
        ? PasswordRotation.answer(watch.rotate(rotation.get()))
        : Driver.super.runAction(request, progress);
  }
}
