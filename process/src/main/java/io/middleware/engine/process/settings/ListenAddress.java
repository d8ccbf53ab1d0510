package io.middleware.engine.process.settings;

import java.net.InetSocketAddress;
import java.util.Optional;

/** Where a server listens: {@code 0.0.0.0:8080}, {@code [::]:8080}; port 0 takes any free one. */
public record ListenAddress(String host, int port) {

  public static Optional<ListenAddress> of(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,5}")) {
      return Optional.empty();
    }
    String host = text.substring(0, colon);
    int port = Integer.parseInt(text.substring(colon + 1));
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    boolean wellFormed = bracketed || host.matches("[-A-Za-z0-9.]+");
    return wellFormed && port <= 65535
        ? Optional.of(new ListenAddress(host, port))
        : Optional.empty();
  }

  public InetSocketAddress socketAddress() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
