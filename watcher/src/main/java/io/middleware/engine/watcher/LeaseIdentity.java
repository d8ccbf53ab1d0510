package io.middleware.engine.watcher;

import io.middleware.engine.process.settings.ListenAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The name under which a watcher holds the lease: its host and the port it listens on, which no two
 * that run can share. In a pod the host is the pod.
 */
final class LeaseIdentity {
  private LeaseIdentity() {}

  static String of(ListenAddress listens) {
    return host() + ":" + (listens.port() == 0 ? "pid-" + ProcessHandle.current().pid() : listens);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
