package io.middleware.engine.agent;

import java.security.Security;

/** How long this process remembers the addresses of names: a recreated pod has another one. */
final class DnsCache {
  private static final String SECONDS = "1";

  private DnsCache() {}

  /** To be called before the first lookup. */
  static void shorten() {
    Security.setProperty("networkaddress.cache.ttl", SECONDS);
    Security.setProperty("networkaddress.cache.negative.ttl", SECONDS);
  }
}
