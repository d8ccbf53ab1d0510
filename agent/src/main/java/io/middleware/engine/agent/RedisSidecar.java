package io.middleware.engine.agent;

import io.middleware.engine.agent.command.CommandDriver;
import io.middleware.engine.agent.driver.PodMaintenance;
import io.middleware.engine.agent.redis.DnsPeers;
import io.middleware.engine.agent.redis.DnsServiceAddresses;
import io.middleware.engine.agent.redis.GroupMembership;
import io.middleware.engine.agent.redis.MarkFile;
import io.middleware.engine.agent.redis.RedisDriver;
import io.middleware.engine.agent.redis.RedisGroup;
import io.middleware.engine.agent.redis.RedisIdentity;
import io.middleware.engine.agent.redis.RedisServers;
import io.middleware.engine.agent.redis.SentinelDriver;
import io.middleware.engine.agent.redis.SentinelSettings;
import io.middleware.engine.agent.redis.SentinelWatch;
import io.middleware.engine.agent.server.AgentServer;
import io.middleware.engine.agent.server.ReplicationAnswers;
import io.middleware.engine.agent.server.SharedTransport;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;

/** The agent beside the Redis or Sentinel of one pod: answers for it and maintains it. */
final class RedisSidecar implements AutoCloseable {
  /** The name in the health service that the pod's readiness probe checks. */
  static final String READINESS = "redis";

  private static final Duration MAINTENANCE_INTERVAL = Duration.ofSeconds(1);

  private final SharedTransport transport;
  private final RedisServers servers;
  private final MaintainedServer server;

  private RedisSidecar(
      RedisServers servers,
      PodMaintenance maintenance,
      SharedTransport transport,
      AgentServer server) {
    this.servers = servers;
    this.transport = transport;
    this.server = new MaintainedServer(server, READINESS, maintenance, MAINTENANCE_INTERVAL);
  }

  /** Closes the transport when it is closed. */
  static RedisSidecar start(SidecarSettings.Redis settings, SharedTransport transport)
      throws IOException {
    DnsCache.shorten();
    var servers = new RedisServers().with(settings.accounts()).by(settings.certificates());
    var pod = settings.pod().name();
    var peers = new DnsPeers(pod, settings.service(), settings.redisPort(), settings.replicas());
    var identity = new RedisIdentity(settings.namespace(), pod, settings.pod().uid());
    var group =
        new RedisGroup(identity, settings.redisHost(), settings.redisPort(), peers, servers);
    var mark = new MarkFile(settings.data(), identity.group());
    var redis = new RedisDriver(group, settings.data(), settings.backups());
    var driver = CommandDriver.inContainer(redis, settings.actions());
    return new RedisSidecar(
        servers,
        new GroupMembership(group, () -> mark, InstantSource.system(), false),
        transport,
        AgentServer.start(
            transport, settings.addresses(), settings.pod(), new ReplicationAnswers(driver)));
  }

  /** Closes the transport when it is closed. */
  static RedisSidecar start(SidecarSettings.Sentinel settings, SharedTransport transport)
      throws IOException {
    DnsCache.shorten();
    var servers = new RedisServers().with(settings.accounts()).by(settings.certificates());
    var watch =
        new SentinelWatch(
            settings.pod().name(),
            settings.sentinelHost(),
            settings.sentinelPort(),
            () -> SentinelSettings.in(settings.config()),
            new SentinelWatch.Cluster(
                new DnsServiceAddresses(),
                settings.namespace(),
                settings.service(),
                settings.redisPort(),
                servers));
    var driver = CommandDriver.inContainer(new SentinelDriver(watch), settings.actions());
    return new RedisSidecar(
        servers,
        watch,
        transport,
        AgentServer.start(
            transport, settings.addresses(), settings.pod(), new ReplicationAnswers(driver)));
  }

  int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
    servers.close();
    transport.close();
  }
}
