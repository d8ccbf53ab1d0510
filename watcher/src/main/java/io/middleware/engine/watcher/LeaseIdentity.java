package io.middleware.engine.watcher;

import io.middleware.engine.process.settings.ListenAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The identity under which a watcher holds the lease: its host and the port it listens on, which
 * two running processes cannot share. In a pod the host is the pod's name.
 */
final class LeaseIdentity {
  private LeaseIdentity() {}

  static String of(ListenAddress address) {
    return host() + ":" + (address.port() == 0 ? "pid-" + ProcessHandle.current().pid() : address);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
