package io.middleware.engine.agent.driver;

import io.middleware.engine.agent.replication.ReplicationRole;
import java.util.Optional;

/** A group without a server: its primary comes from the settings and never changes. */
public record FixedReplication(String pod, String primaryPod) implements Driver {
  @Override
  public ReplicationRole role() {
    return pod.equals(primaryPod) ? ReplicationRole.PRIMARY : ReplicationRole.REPLICA;
  }

  @Override
  public Optional<String> primary() {
    return Optional.of(primaryPod);
  }
}
