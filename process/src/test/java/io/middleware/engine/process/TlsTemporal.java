package io.middleware.engine.process;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.TlsServerCredentials;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.process.agents.Identity;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.api.workflowservice.v1.DescribeNamespaceResponse;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.api.workflowservice.v1.GetSystemInfoResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceImplBase;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;

/** A Temporal that requires client certificates, and remembers the one of the last call. */
final class TlsTemporal extends WorkflowServiceImplBase
    implements ServerInterceptor, AutoCloseable {
  private final Server server;
  private volatile String caller = "nobody";

  /**
   * @param port 0 for any
   * @param clients the certificates that it accepts
   */
  TlsTemporal(int port, Identity own, Identity... clients) throws IOException {
    var trusted = new StringBuilder();
    for (var client : clients) {
      trusted.append(client.certificate());
    }
    var credentials =
        TlsServerCredentials.newBuilder()
            .keyManager(stream(own.certificate()), stream(own.key()))
            .trustManager(stream(trusted.toString()))
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
            .build();
    server =
        Grpc.newServerBuilderForPort(port, credentials)
            .addService(this)
            .intercept(this)
            .build()
            .start();
  }

  int port() {
    return server.getPort();
  }

  /** The subject of the certificate that the last call came with. */
  String caller() {
    return caller;
  }

  @Override
  public void getSystemInfo(
      GetSystemInfoRequest request, StreamObserver<GetSystemInfoResponse> answer) {
    answer.onNext(GetSystemInfoResponse.getDefaultInstance());
    answer.onCompleted();
  }

  @Override
  public void describeNamespace(
      DescribeNamespaceRequest request, StreamObserver<DescribeNamespaceResponse> answer) {
    answer.onNext(DescribeNamespaceResponse.getDefaultInstance());
    answer.onCompleted();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    try {
      var session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
      var certificate = (X509Certificate) session.getPeerCertificates()[0];
      caller = certificate.getSubjectX500Principal().getName();
    } catch (SSLPeerUnverifiedException e) {
      throw new IllegalStateException(e);
    }
    return next.startCall(call, headers);
  }

  @Override
  public void close() throws InterruptedException {
    server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
