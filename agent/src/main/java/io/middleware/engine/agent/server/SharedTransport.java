package io.middleware.engine.agent.server;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The threads that all servers of the process share, so that a thousand cost no more than one. */
public final class SharedTransport implements AutoCloseable {
  private static final int ACCEPTORS = 1;
  private static final int WORKERS = 2;
  private static final long CLOSE_MILLIS = 500;

  private final EventLoopGroup acceptors;
  private final EventLoopGroup workers;
  private final ExecutorService calls;
  private final ServerCredentials credentials;
  private final Runnable closed;

  /** For servers that speak in clear. */
  public SharedTransport() {
    this(InsecureServerCredentials.create(), () -> {});
  }

  /** For servers that speak mutual TLS by these files, which are closed with it. */
  public SharedTransport(TlsFiles files) {
    this(files.credentials(), files::close);
  }

  private SharedTransport(ServerCredentials credentials, Runnable closed) {
    this.acceptors = new MultiThreadIoEventLoopGroup(ACCEPTORS, NioIoHandler.newFactory());
    this.workers = new MultiThreadIoEventLoopGroup(WORKERS, NioIoHandler.newFactory());
    this.calls = Executors.newVirtualThreadPerTaskExecutor();
    this.credentials = credentials;
    this.closed = closed;
  }

  private SharedTransport(SharedTransport threads, ServerCredentials credentials) {
    this.acceptors = threads.acceptors;
    this.workers = threads.workers;
    this.calls = threads.calls;
    this.credentials = credentials;
    this.closed = threads.closed;
  }

  /** The same threads, closed with these, for servers that show something else. */
  public SharedTransport showing(ServerCredentials other) {
    return new SharedTransport(this, other);
  }

  NettyServerBuilder listenOn(InetSocketAddress address) {
    return listenOn(address, credentials);
  }

  /** In clear, whatever the others speak. */
  NettyServerBuilder listenInClearOn(InetSocketAddress address) {
    return listenOn(address, InsecureServerCredentials.create());
  }

  private NettyServerBuilder listenOn(InetSocketAddress address, ServerCredentials shown) {
    return NettyServerBuilder.forAddress(address, shown)
        .channelType(NioServerSocketChannel.class)
        .bossEventLoopGroup(acceptors)
        .workerEventLoopGroup(workers)
        .executor(calls);
  }

  @Override
  public void close() {
    calls.shutdownNow();
    closed.run();
    acceptors.shutdownGracefully(0, CLOSE_MILLIS, MILLISECONDS);
    workers.shutdownGracefully(0, CLOSE_MILLIS, MILLISECONDS);
  }
}
