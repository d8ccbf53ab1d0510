package io.middleware.engine.agent.server;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The threads and credentials of all servers in this process: more servers need no more threads.
 */
public final class SharedTransport implements AutoCloseable {
  /** The name in the certificates of agents. */
  private static final String AGENTS = "middleware-agent";

  private static final int ACCEPTORS = 1;
  private static final int WORKERS = 2;
  private static final long CLOSE_MILLIS = 500;

  private final EventLoopGroup acceptors;
  private final EventLoopGroup workers;
  private final ExecutorService calls;
  private final ServerCredentials credentials;
  private final ChannelCredentials clientCredentials;
  private final Runnable onClose;

  /** For servers that use plain text. */
  public SharedTransport() {
    this(InsecureServerCredentials.create(), InsecureChannelCredentials.create(), () -> {});
  }

  /** For servers that use mutual TLS; closing the transport closes the files. */
  public SharedTransport(TlsFiles files) {
    this(files.credentials(), files.clientCredentials(), files::close);
  }

  private SharedTransport(
      ServerCredentials credentials, ChannelCredentials clientCredentials, Runnable onClose) {
    this.acceptors = new MultiThreadIoEventLoopGroup(ACCEPTORS, NioIoHandler.newFactory());
    this.workers = new MultiThreadIoEventLoopGroup(WORKERS, NioIoHandler.newFactory());
    this.calls = Executors.newVirtualThreadPerTaskExecutor();
    this.credentials = credentials;
    this.clientCredentials = clientCredentials;
    this.onClose = onClose;
  }

  private SharedTransport(SharedTransport threads, ServerCredentials credentials) {
    this.acceptors = threads.acceptors;
    this.workers = threads.workers;
    this.calls = threads.calls;
    this.credentials = credentials;
    this.clientCredentials = threads.clientCredentials;
    this.onClose = threads.onClose;
  }

  /** The same threads with other credentials; closed together with this transport. */
  public SharedTransport withCredentials(ServerCredentials other) {
    return new SharedTransport(this, other);
  }

  NettyServerBuilder server(InetSocketAddress address) {
    return server(address, credentials);
  }

  /** A server that uses plain text, whatever the other servers use. */
  NettyServerBuilder plainTextServer(InetSocketAddress address) {
    return server(address, InsecureServerCredentials.create());
  }

  /** To the agent of another pod, which has the same certificates. */
  ManagedChannel channel(String host, int port) {
    return NettyChannelBuilder.forAddress(host, port, clientCredentials)
        .channelType(NioSocketChannel.class)
        .eventLoopGroup(workers)
        .executor(calls)
        .overrideAuthority(AGENTS)
        .build();
  }

  private NettyServerBuilder server(InetSocketAddress address, ServerCredentials used) {
    return NettyServerBuilder.forAddress(address, used)
        .channelType(NioServerSocketChannel.class)
        .bossEventLoopGroup(acceptors)
        .workerEventLoopGroup(workers)
        .executor(calls)
        .addStreamTracerFactory(CallEnd.FACTORY);
  }

  @Override
  public void close() {
    calls.shutdownNow();
    onClose.run();
    acceptors.shutdownGracefully(0, CLOSE_MILLIS, MILLISECONDS);
    workers.shutdownGracefully(0, CLOSE_MILLIS, MILLISECONDS);
  }
}
