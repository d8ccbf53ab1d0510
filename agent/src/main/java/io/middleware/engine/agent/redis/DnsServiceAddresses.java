package io.middleware.engine.agent.redis;

import io.grpc.netty.shaded.io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/** Resolves a Service of the agent's namespace by DNS. */
public record DnsServiceAddresses() implements ServiceAddresses {

  @Override
  public List<String> of(String service) {
    try {
      return Stream.of(InetAddress.getAllByName(service)).map(DnsServiceAddresses::text).toList();
    } catch (UnknownHostException e) {
      return List.of();
    }
  }

  /**
   * In the form of RFC 5952, as Kubernetes, Redis and Sentinel write it: texts are compared with
   * theirs. Java has another form for IPv6.
   */
  static String text(InetAddress address) {
    return NetUtil.toAddressString(address);
  }
}
