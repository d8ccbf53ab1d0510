package io.middleware.engine.agent.redis;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.redis.ReplicationState.Link;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS of one Redis. A certificate makes it listen at two ports from its start on: that in clear,
 * and the next one.
 *
 * <ol>
 *   <li><b>The port in clear</b> is closed from a reload on, when all pods of the group have
 *       started with a certificate, and never before: a Redis without one could not join. A note on
 *       the volume says so to the start of the container.
 *   <li><b>Replication</b> uses TLS where the port in clear is closed, its own or that of its
 *       primary. A replica names itself to its primary by the port of the same kind, and Sentinels
 *       read that. So it also uses TLS as soon as all Sentinels of its primary do.
 *   <li><b>Certificates.</b> Redis reads changed files when its agent says so. It goes on with the
 *       earlier ones when it refuses them.
 * </ol>
 *
 * @param data the folder of Redis; empty: not mounted
 */
record RedisTls(RedisGroup group, Optional<Path> data) {
  /** Redis' own parameter for how it reaches its primary. */
  static final String REPLICATION = "tls-replication";

  private static final Logger LOG = LoggerFactory.getLogger(RedisTls.class);
  private static final String MODE = "tls";

  /** The parameters that are not Redis' own. */
  private static final Set<String> PARAMETERS = Set.of(MODE, "certificate");

  /** Those that name files, which Redis reads again when they are set. */
  private static final List<String> FILES =
      List.of("tls-cert-file", "tls-key-file", "tls-ca-cert-file");

  private static final String PORT = "port";

  /** The same in the start of the container, which reads whose it is. */
  private static final String CLOSED = ".closed-to-plain";

  /** What the start of a container writes there on an empty volume. */
  private static final String NEW = "new";

  private RedisServer redis() {
    return group.self();
  }

  /** Does what is due. May be repeated. */
  void follow(ReplicationState own) {
    var files = group.servers().tls();
    if (files.isEmpty()) {
      remember(false);
      return;
    }
    files.get().give(this::readFiles);
    var note = content();
    if (note.filter(NEW::equals).isPresent()) {
      settle(own);
      return;
    }
    group.servers().requireTls(note.isPresent());
    if (!own.failingOver() && own.link() != Link.COPYING) {
      replicate(own, note.isPresent() || isPrimaryReachedByTls(own));
    }
    if (note.isPresent()) {
      listen(0);
    }
  }

  /** A pod with an empty volume may have been added to a group that is not closed yet. */
  private void settle(ReplicationState own) {
    try {
      if (own.primary() || group.servers().at(own.primaryAddress()).portInClear() == 0) {
        remember(true);
      } else {
        open();
      }
    } catch (StatusRuntimeException silent) {
      LOG.atDebug().addKeyValue("pod", group.pod()).log("no primary answers yet");
    }
  }

  private void open() {
    remember(false);
    listen(group.port());
  }

  private Optional<String> readFiles() {
    try {
      redis().setParameters(redis().parameters(FILES));
      LOG.atInfo().addKeyValue("pod", group.pod()).log("Redis has read its certificate");
      return Optional.empty();
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.FAILED_PRECONDITION) {
        throw e;
      }
      LOG.atWarn()
          .addKeyValue("pod", group.pod())
          .addKeyValue("cause", e.getStatus().getDescription())
          .log("Redis refuses its changed certificate");
      return Optional.of(
          "keeps its earlier certificate, because it refuses the one of its Secret: correct tls.crt, tls.key and ca.crt there. "
              + e.getStatus().getDescription());
    }
  }

  private boolean isPrimaryReachedByTls(ReplicationState own) {
    try {
      var primary = own.primary() ? redis() : group.servers().at(own.primaryAddress());
      var sentinels = primary.portsOfSentinels();
      return primary.portInClear() == 0
          || !sentinels.isEmpty() && !sentinels.contains(group.port());
    } catch (StatusRuntimeException silent) {
      return redis().replicatesByTls();
    }
  }

  /** Sentinels, too, may have told Redis a port of the other kind. */
  private void replicate(ReplicationState own, boolean byTls) {
    if (byTls != redis().replicatesByTls()) {
      redis().setParameters(Map.of(REPLICATION, byTls ? "yes" : "no"));
    }
    var primary = own.primaryAddress();
    var port = String.valueOf(byTls ? primary.forTls().port() : primary.port());
    var now = redis().info("replication"); // it may have become the primary since
    if (primary.host().equals(now.get("master_host")) && !port.equals(now.get("master_port"))) {
      redis().follow(primary);
    }
  }

  private void listen(int port) {
    if (redis().portInClear() != port) {
      redis().setParameters(Map.of(PORT, String.valueOf(port)));
    }
  }

  /**
   * Carries out those parameters that are about TLS, and takes them away.
   *
   * @param parameters of a reload
   * @return those that are in force now
   */
  Map<String, String> reload(Map<String, String> parameters) {
    var own = new HashMap<>(parameters);
    own.keySet().retainAll(PARAMETERS);
    parameters.keySet().removeAll(PARAMETERS);
    if ("only".equals(own.get(MODE))) {
      requireReady();
      remember(true);
      follow(group.own());
    } else if (own.containsKey(MODE)) {
      open();
    }
    return own;
  }

  private void requireReady() {
    if (group.servers().tls().isEmpty()) {
      throw refusal("it has no certificate: set certificate first");
    }
    if (redis().portsOfSentinels().contains(group.port())) {
      throw refusal(
          "Sentinels reach it without TLS, and would take it for down: give the component of type sentinel a certificate first");
    }
  }

  private StatusRuntimeException refusal(String why) {
    return Status.FAILED_PRECONDITION
        .withDescription(
            "Redis %s cannot refuse clients without TLS, because %s"
                .formatted(redis().address(), why))
        .asRuntimeException();
  }

  private Optional<String> content() {
    return note().filter(Files::exists).map(RedisTls::content);
  }

  private static String content(Path note) {
    try {
      return Files.readString(note).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("read " + note, e);
    }
  }

  private Optional<Path> note() {
    return data.map(it -> it.resolve(CLOSED));
  }

  private void remember(boolean closed) {
    note().ifPresent(note -> remember(note, closed));
  }

  private void remember(Path note, boolean closed) {
    try {
      if (closed) {
        Files.writeString(note, group.identity().uid());
      } else {
        Files.deleteIfExists(note);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("remember whether clients need TLS in " + note, e);
    }
  }
}
