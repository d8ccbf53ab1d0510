package io.middleware.engine.agent.redis;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/** Resolves a Service of the agent's namespace by DNS. */
public record DnsServiceAddresses() implements ServiceAddresses {

  @Override
  public List<String> of(String service) {
    try {
      return Stream.of(InetAddress.getAllByName(service)).map(InetAddress::getHostAddress).toList();
    } catch (UnknownHostException e) {
      return List.of();
    }
  }
}
