package io.middleware.engine.e2e;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/**
 * A way to a server of this machine that carries only so many bytes in a second, so that what goes
 * over it has a middle, and that stands still there if it is told to. While the server is away, it
 * hangs up, as a load balancer does.
 */
public final class SlowLink implements AutoCloseable {
  private static final int CHUNK = 16 * 1024;
  private static final long SECOND = 1_000_000_000;

  private final URI server;
  private final ServerSocket entrance;
  private volatile long bytesPerSecond = SECOND;
  private long free;
  private long left = Long.MAX_VALUE;

  public SlowLink(URI server) throws IOException {
    this.server = server;
    var host = new InetSocketAddress(server.getHost(), server.getPort()).getAddress();
    this.entrance = new ServerSocket(0, 0, host);
    Thread.startVirtualThread(this::accept);
  }

  /** The server by this way. */
  public URI entrance() {
    return URI.create(
        "%s://%s:%d".formatted(server.getScheme(), server.getHost(), entrance.getLocalPort()));
  }

  public void limit(long bytesInASecond) {
    bytesPerSecond = bytesInASecond;
  }

  /** Carries so many more bytes, both ways together, and then none until it is released. */
  public synchronized void holdAfter(long bytes) {
    left = bytes;
    notifyAll();
  }

  /** Whether somebody waits at the link because it carries no more bytes. */
  public synchronized boolean isHolding() {
    return left < 0;
  }

  /** Carries all that comes, as at first. */
  public void release() {
    holdAfter(Long.MAX_VALUE);
  }

  @Override
  public void close() throws IOException {
    entrance.close();
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        var client = entrance.accept();
        Thread.startVirtualThread(() -> connect(client));
      } catch (IOException e) {
        // it is closed, or the client has gone
      }
    }
  }

  private void connect(Socket client) {
    try (client;
        var onward = new Socket(server.getHost(), server.getPort())) {
      var back = Thread.startVirtualThread(() -> carry(onward, client));
      carry(client, onward);
      back.join();
    } catch (IOException e) {
      // the server is away
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Until one end is closed; then it closes both. */
  private void carry(Socket from, Socket to) {
    var buffer = new byte[CHUNK];
    try (from;
        to) {
      var in = from.getInputStream();
      var out = to.getOutputStream();
      for (var length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        TimeUnit.NANOSECONDS.sleep(delay(length));
        take(length);
        out.write(buffer, 0, length);
      }
    } catch (IOException e) {
      // one end has gone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void take(int bytes) throws InterruptedException {
    left -= bytes;
    while (left < 0) {
      wait();
    }
  }

  /** All connections share the link. */
  private synchronized long delay(int bytes) {
    var now = System.nanoTime();
    free = Math.max(free, now) + bytes * SECOND / bytesPerSecond;
    return free - now;
  }
}
