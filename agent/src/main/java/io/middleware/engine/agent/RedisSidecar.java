package io.middleware.engine.agent;

import io.middleware.engine.agent.redis.DnsPeers;
import io.middleware.engine.agent.redis.Membership;
import io.middleware.engine.agent.redis.RedisDriver;
import io.middleware.engine.agent.redis.RedisGroup;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.server.AgentServer;
import io.middleware.engine.agent.server.ReplicationAnswers;
import io.middleware.engine.agent.server.Transport;
import java.io.IOException;
import java.security.Security;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agent beside the Redis of one pod: answers for it, and keeps it in its group. */
final class RedisSidecar implements AutoCloseable {
  /** The health service's name for "Redis serves", for the readiness probe of the pod. */
  static final String READINESS = "redis";

  private static final Logger LOG = LoggerFactory.getLogger(RedisSidecar.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final String DNS_SECONDS = "1";

  private final Transport transport;
  private final RedisServers servers = new RedisServers();
  private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor();
  private final Membership membership;
  private final AgentServer server;

  private RedisSidecar(AgentSettings.Redis settings, Transport transport) throws IOException {
    this.transport = transport;
    var pod = settings.pod().name();
    var peers = new DnsPeers(pod, settings.service(), settings.redisPort(), settings.replicas());
    var group = new RedisGroup(pod, settings.redisHost(), settings.redisPort(), peers, servers);
    this.membership = new Membership(group, false);
    this.server =
        AgentServer.start(
            transport,
            settings.addresses(),
            settings.pod(),
            new ReplicationAnswers(new RedisDriver(group)));
  }

  /** Takes the transport over. */
  static RedisSidecar start(AgentSettings.Redis settings, Transport transport) throws IOException {
    // a pod that comes back has another address
    Security.setProperty("networkaddress.cache.ttl", DNS_SECONDS);
    Security.setProperty("networkaddress.cache.negative.ttl", DNS_SECONDS);
    var sidecar = new RedisSidecar(settings, transport);
    sidecar.looks.scheduleWithFixedDelay(sidecar::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    return sidecar;
  }

  int port() {
    return server.port();
  }

  private void look() {
    try {
      server.serves(READINESS, membership.look());
    } catch (RuntimeException e) {
      LOG.atWarn().setCause(e).log("could not look after Redis, trying on");
    }
  }

  @Override
  public void close() {
    looks.shutdownNow();
    server.drain();
    try {
      server.stop(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    servers.close();
    transport.close();
  }
}
