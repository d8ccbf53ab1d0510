package io.middleware.engine.cluster.apiserver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes bytes on to a server on this machine, and breaks connections as it is told. */
public final class FlakyConnection implements AutoCloseable {
  private static final int CHUNK = 16 * 1024;
  private static final int LONG_ANSWER = 64 * 1024;

  /** What happens from now on. */
  public enum Break {
    NOTHING,
    /** A request on an open connection meets its end. */
    CLOSE_AT_REQUEST,
    RESET_AT_REQUEST,
    /** The server has carried the request out, and its answer is lost. */
    CLOSE_AT_ANSWER,
    RESET_AT_ANSWER,
    /** The end comes in the middle of the answer. */
    CUT_ANSWER,
    /** The end comes after the head of a long answer. */
    CUT_LONG_ANSWER,
    /** The request arrives nowhere, and nobody says so. */
    HOLD_REQUEST,
    /** No new connection is made. */
    CLOSE_AT_ACCEPT
  }

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final int server;
  private final AtomicInteger answered = new AtomicInteger();
  private volatile Break now = Break.NOTHING;

  public FlakyConnection(int server) throws IOException {
    this.server = server;
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  public void become(Break next) {
    answered.set(0);
    now = next;
    if (next == Break.CLOSE_AT_ACCEPT) {
      open.forEach(FlakyConnection::end);
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        var client = listener.accept();
        if (now == Break.CLOSE_AT_ACCEPT) {
          end(client);
        } else {
          join(client, new Socket(InetAddress.getLoopbackAddress(), server));
        }
      } catch (IOException e) {
        // the test has ended, or the server has
      }
    }
  }

  private void join(Socket client, Socket to) throws IOException {
    client.setTcpNoDelay(true);
    to.setTcpNoDelay(true);
    open.add(client);
    open.add(to);
    Thread.ofVirtual().start(() -> pass(client, to, true));
    Thread.ofVirtual().start(() -> pass(to, client, false));
  }

  private void pass(Socket from, Socket to, boolean request) {
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      var chunk = new byte[CHUNK];
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        if (!passes(request, chunk, length, out)) {
          if (resets()) {
            from.setSoLinger(true, 0);
            to.setSoLinger(true, 0);
          }
          return;
        }
      }
    } catch (IOException e) {
      // the other side is gone
    }
  }

  private boolean resets() {
    return now == Break.RESET_AT_REQUEST || now == Break.RESET_AT_ANSWER;
  }

  private boolean passes(boolean request, byte[] chunk, int length, OutputStream out)
      throws IOException {
    switch (now) {
      case CLOSE_AT_REQUEST, RESET_AT_REQUEST -> {
        if (request) {
          return false;
        }
      }
      case CLOSE_AT_ANSWER, RESET_AT_ANSWER -> {
        if (!request) {
          return false;
        }
      }
      case CUT_ANSWER -> {
        if (!request) {
          out.write(chunk, 0, length / 2);
          out.flush();
          return false;
        }
      }
      case CUT_LONG_ANSWER -> {
        if (!request && answered.addAndGet(length) > LONG_ANSWER) {
          return false;
        }
      }
      case HOLD_REQUEST -> {
        if (request) {
          return true;
        }
      }
      case NOTHING, CLOSE_AT_ACCEPT -> {}
    }
    out.write(chunk, 0, length);
    out.flush();
    return true;
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (SocketException e) {
      // it has ended already
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    open.forEach(FlakyConnection::end);
  }
}
