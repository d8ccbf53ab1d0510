package io.middleware.engine.watcher;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.process.EngineMetric;
import io.middleware.engine.process.HealthCheck;
import io.middleware.engine.process.ProcessExit;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease that decides which watcher acts. It is an optimisation: two active watchers do no harm.
 * A watcher that loses the lease exits. A watcher that stops releases it, so that its successor
 * need not wait until it expires. The lease has its own client: behind a queue of other calls a
 * renewal would come too late.
 */
final class Leadership implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
  private static final String LEASE = "middleware-watcher";
  private static final int RENEWALS = 6;

  private final KubernetesClient client;
  private final LeaseLock lock;
  private final ProcessExit exit;
  private final AtomicInteger leading = new AtomicInteger();
  private volatile CompletableFuture<?> election = new CompletableFuture<>();

  /**
   * @param identity unique among running processes; the same after a restart, so that the process
   *     need not wait for its own lease
   */
  Leadership(
      KubernetesClient client,
      String namespace,
      String identity,
      ProcessExit exit,
      MeterRegistry registry) {
    this.client = client;
    this.lock = new LeaseLock(namespace, LEASE, identity);
    this.exit = exit;
    EngineMetric.WATCHER_LEADING.gauge(registry, leading, AtomicInteger::get);
  }

  /** Runs {@code lead} once the lease is won, now or later; returns at once. */
  void seek(Duration lease, Runnable lead) {
    var callbacks = new LeaderCallbacks(() -> won(lead), this::lost, this::leaderChanged);
    election = client.leaderElector().withConfig(config(lease, callbacks)).build().start();
  }

  /** Runs {@code lead} without a lease. */
  void assume(Runnable lead) {
    won(lead);
  }

  boolean isLeading() {
    return leading.get() > 0;
  }

  /** The health check {@code election}: a watcher whose election has ended never leads. */
  HealthCheck check() {
    return HealthCheck.of(
        "election",
        () ->
            election.isDone()
                ? Optional.of("the election of the leader has ended")
                : Optional.empty());
  }

  @Override
  public void close() {
    election.cancel(true);
  }

  private LeaderElectionConfig config(Duration lease, LeaderCallbacks callbacks) {
    return new LeaderElectionConfigBuilder()
        .withName(LEASE)
        .withLock(lock)
        .withLeaseDuration(lease)
        .withRenewDeadline(lease.multipliedBy(2).dividedBy(3))
        .withRetryPeriod(lease.dividedBy(RENEWALS))
        .withReleaseOnCancel(true)
        .withLeaderCallbacks(callbacks)
        .build();
  }

  /** Uses a thread of its own: the elector's thread has to renew the lease meanwhile. */
  private void won(Runnable lead) {
    leading.set(1);
    LOG.atInfo().addKeyValue("identity", lock.identity()).log("this watcher is the leader");
    Thread.ofPlatform().name("lead").start(lead);
  }

  private void lost() {
    leading.set(0);
    exit.because("the lease was lost", null);
  }

  private void leaderChanged(String leader) {
    if (leader != null && !leader.equals(lock.identity())) {
      LOG.atInfo().addKeyValue("leader", leader).log("another watcher is the leader");
    }
  }
}
