package io.middleware.engine.planning.condition;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * URLs that conditions may call. Users choose them, but the engine sends from inside the cluster,
 * so an administrator lists the allowed hosts.
 */
public final class EndpointPolicy {
  private static final Set<String> SCHEMES = Set.of("http", "https");

  /** Empty: any host. */
  private final Optional<Set<String>> allowed;

  private final Optional<String> prometheus;

  private EndpointPolicy(Optional<Set<String>> allowed, Optional<String> prometheus) {
    this.allowed = allowed;
    this.prometheus = prometheus;
  }

  /**
   * @param hosts {@code host} or {@code host:port}; without a port, that of the URL's scheme
   * @param prometheus the URL of Prometheus for queries that name none; empty: there is none
   */
  public static EndpointPolicy of(List<String> hosts, String prometheus) {
    return new EndpointPolicy(
        Optional.of(
            hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).collect(Collectors.toSet())),
        Optional.of(prometheus).filter(url -> !url.isEmpty()));
  }

  /** Where the engine's settings are not known: what they may allow is allowed. */
  public static EndpointPolicy unknown() {
    return new EndpointPolicy(Optional.empty(), Optional.of("http://prometheus"));
  }

  /** Where to send, or why nothing may be sent. */
  public sealed interface Endpoint {
    record Allowed(URI url) implements Endpoint {}

    record Refused(String why) implements Endpoint {}

    /** Why nothing may be sent there; empty if it may. */
    default Optional<String> problem() {
      return switch (this) {
        case Allowed(var url) -> Optional.empty();
        case Refused(var why) -> Optional.of(why);
      };
    }
  }

  /** The endpoint of a URL that a user has written. */
  public Endpoint endpoint(String text) {
    return switch (parsed(text)) {
      case Endpoint.Allowed(var url) when isAllowed(url) -> new Endpoint.Allowed(url);
      case Endpoint.Allowed(var url) ->
          new Endpoint.Refused(
              "host %s is not in the engine's setting checks.hosts".formatted(authority(url)));
      case Endpoint.Refused refused -> refused;
    };
  }

  /**
   * The endpoint for queries to Prometheus.
   *
   * @param text the URL that a user has written; null: that of the engine's settings
   */
  public Endpoint prometheus(String text) {
    var base = text == null ? prometheus.map(EndpointPolicy::parsed) : Optional.of(endpoint(text));
    return base.map(EndpointPolicy::queried)
        .orElseGet(
            () ->
                new Endpoint.Refused(
                    "no URL given, and the engine's setting checks.prometheusUrl is empty"));
  }

  private static Endpoint parsed(String text) {
    URI url;
    try {
      url = URI.create(text);
    } catch (IllegalArgumentException e) {
      return new Endpoint.Refused("%s is not a valid URL: %s".formatted(text, e.getMessage()));
    }
    if (url.getScheme() == null || !SCHEMES.contains(url.getScheme().toLowerCase(Locale.ROOT))) {
      return new Endpoint.Refused("%s is not a valid http or https URL".formatted(text));
    }
    return url.getHost() == null || url.getRawUserInfo() != null || url.getRawFragment() != null
        ? new Endpoint.Refused(
            "%s: expected scheme://host[:port][/path], without a user".formatted(text))
        : new Endpoint.Allowed(url);
  }

  private static Endpoint queried(Endpoint base) {
    return switch (base) {
      case Endpoint.Allowed(var url) when url.getRawQuery() != null ->
          new Endpoint.Refused(
              "%s: the URL of Prometheus must not have a query string".formatted(url));
      case Endpoint.Allowed(var url) ->
          new Endpoint.Allowed(URI.create(url.toString().replaceAll("/+$", "") + "/api/v1/query"));
      case Endpoint.Refused refused -> refused;
    };
  }

  private boolean isAllowed(URI url) {
    var host = url.getHost().toLowerCase(Locale.ROOT);
    return allowed
        .map(
            hosts ->
                hosts.contains(host + ":" + port(url))
                    || (port(url) == defaultPort(url) && hosts.contains(host)))
        .orElse(true);
  }

  private static int port(URI url) {
    return url.getPort() < 0 ? defaultPort(url) : url.getPort();
  }

  private static int defaultPort(URI url) {
    return "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
  }

  private static String authority(URI url) {
    return url.getPort() < 0 ? url.getHost() : url.getHost() + ":" + url.getPort();
  }
}
