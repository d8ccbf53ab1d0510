package io.middleware.engine.agent.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.account.AccountFiles;
import io.middleware.engine.agent.account.Password;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The data of one Redis as an RDB file, which Redis sends as to a new replica. Redis saves what it
 * has at that moment; before that it may wait for an earlier save to end.
 *
 * <p>Every failure is a {@link StatusRuntimeException}: FAILED_PRECONDITION when Redis cannot do
 * this at all, otherwise UNAVAILABLE. The interrupt of a virtual thread closes the connection, and
 * Redis then ends the save.
 */
final class RdbStream extends InputStream {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

  /** As long as Redis itself waits for a replica. */
  private static final Duration MAX_SILENCE = Duration.ofSeconds(60);

  private static final int MAX_LINE = 1024;
  private static final String FULL_RESYNC = "+FULLRESYNC ";

  /** What ends by itself. A replica without a link to its primary may never get one. */
  private static final List<String> PASSING = List.of("-LOADING", "-BUSY");

  private final Address address;
  private final Socket socket;
  private final InputStream received;
  private final String replicationId;
  private final long offset;
  private final RdbContent content;

  private RdbStream(Address address, Socket socket, Optional<Password> password, String valkey)
      throws IOException {
    this.address = address;
    this.socket = socket;
    this.received = new BufferedInputStream(socket.getInputStream());
    if (password.isPresent()) {
      ask("AUTH %s %s".formatted(AccountFiles.ENGINE, password.get().quoted()));
    }
    ask("REPLCONF capa eof");
    ask("REPLCONF rdb-only 1"); // no changes after the data; Redis 7.0 and newer
    if (!valkey.isEmpty()) {
      ask("REPLCONF version " + valkey); // otherwise it sends only what Redis 7.2 could read
    }
    var answer = ask("PSYNC ? -1").split(" ", 3);
    this.replicationId = answer[1];
    this.offset = Long.parseLong(answer[2]);
    this.content = RdbContent.after(line(), received);
  }

  /**
   * Returns when Redis begins to send.
   *
   * @param valkey the version of a Valkey, in whose format the data are to be; empty for a Redis
   */
  static RdbStream open(RedisServer redis, String valkey) {
    var address = redis.address();
    var socket = new Socket();
    try {
      socket = connected(redis);
      socket.setSoTimeout((int) MAX_SILENCE.toMillis());
      return new RdbStream(address, socket, redis.password(), valkey);
    } catch (IOException e) {
      close(socket);
      throw lost(address, e);
    } catch (RuntimeException e) {
      close(socket);
      throw e;
    }
  }

  private static Socket connected(RedisServer redis) throws IOException {
    var tls = redis.tls();
    var address = tls.isPresent() ? redis.address().forTls() : redis.address();
    var socket = tls.isPresent() ? tls.get().sockets().createSocket() : new Socket();
    try {
      socket.connect(
          new InetSocketAddress(address.host(), address.port()), (int) CONNECT_TIMEOUT.toMillis());
      return socket;
    } catch (IOException e) {
      close(socket);
      throw e;
    }
  }

  /** The history that the data belong to. */
  String replicationId() {
    return replicationId;
  }

  /** Where in that history the data end. */
  long offset() {
    return offset;
  }

  @Override
  public int read() {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int begin, int length) {
    try {
      return content.read(buffer, begin, length);
    } catch (IOException e) {
      throw lost(address, e);
    }
  }

  @Override
  public void close() {
    close(socket);
  }

  private String ask(String command) throws IOException {
    socket.getOutputStream().write((command + "\r\n").getBytes(US_ASCII));
    var answer = line();
    var expected = command.startsWith("PSYNC") ? FULL_RESYNC : "+OK";
    if (answer.startsWith(expected)) {
      return answer;
    }
    var passes = PASSING.stream().anyMatch(answer::startsWith);
    throw (passes ? Status.UNAVAILABLE : Status.FAILED_PRECONDITION)
        .withDescription("Redis %s refuses to send its data: %s".formatted(address, answer))
        .asRuntimeException();
  }

  /** The next line that is not empty: Redis sends empty ones while it works. */
  private String line() throws IOException {
    var line = new StringBuilder();
    while (true) {
      var next = received.read();
      if (next < 0) {
        throw new EOFException("it closed the connection");
      }
      if (next == '\n' && !line.isEmpty()) {
        return line.toString();
      }
      if (next != '\n' && next != '\r') {
        line.append((char) next);
      }
      if (line.length() > MAX_LINE) {
        throw new IOException("it sent a line that is too long");
      }
    }
  }

  private static StatusRuntimeException lost(Address address, IOException e) {
    return Status.UNAVAILABLE
        .withDescription(
            "the data of Redis %s did not arrive: %s".formatted(address, e.getMessage()))
        .withCause(e)
        .asRuntimeException();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // nothing is left to close
    }
  }
}
