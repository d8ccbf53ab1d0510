package io.middleware.engine.process;

import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * A client's TLS context that can be replaced: connections keep the one that they began with, and
 * new ones begin with the newest. They resume no session of an earlier one, in which the server
 * would go on to see the earlier certificate.
 */
final class RenewableSslContext extends SslContext {
  private volatile SslContext newest;

  RenewableSslContext(SslContext first) {
    newest = first;
  }

  void renew(SslContext next) {
    newest = next;
  }

  /** A key in PEM, in any form that a context accepts. */
  static PrivateKey privateKey(InputStream pem) throws IOException, GeneralSecurityException {
    return toPrivateKey(pem, null);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return newest.newEngine(allocator);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
    return newest.newEngine(allocator, host, port);
  }

  @Override
  public boolean isClient() {
    return newest.isClient();
  }

  @Override
  public List<String> cipherSuites() {
    return newest.cipherSuites();
  }

  @Override
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return newest.applicationProtocolNegotiator();
  }

  @Override
  public SSLSessionContext sessionContext() {
    return newest.sessionContext();
  }
}
