package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The readiness probe of one container, by a command, HTTP or TCP; what has another one is ready.
 * As by a kubelet, a container is ready after the first success, and not any more after some
 * failures in a row. Used by one thread.
 */
final class ContainerProbe {
  private static final int OFTEN = 10;
  private static final int FAILURES = 3;

  private final HostedContainer hosted;
  private final String ip;
  private final Optional<Probe> probe;
  private Instant next = Instant.EPOCH;
  private boolean ready;
  private int failures;

  ContainerProbe(HostedContainer hosted, String ip) {
    this.hosted = hosted;
    this.ip = ip;
    this.probe = Optional.ofNullable(hosted.container().getReadinessProbe());
  }

  boolean isReady() throws IOException, InterruptedException {
    if (!hosted.isRunning()) {
      ready = false;
    } else if (probe.isEmpty()) {
      ready = true;
    } else if (!Instant.now().isBefore(next)) {
      next = Instant.now().plusSeconds(or(probe.get().getPeriodSeconds(), OFTEN));
      failures = succeeds(probe.get()) ? 0 : failures + 1;
      ready = failures == 0 || ready && failures < or(probe.get().getFailureThreshold(), FAILURES);
      next = ready ? next : Instant.now().plusSeconds(1);
    }
    return ready;
  }

  private boolean succeeds(Probe asked) throws InterruptedException {
    var limit = Duration.ofSeconds(or(asked.getTimeoutSeconds(), 1));
    try {
      if (asked.getExec() != null) {
        return ran(asked.getExec().getCommand(), limit);
      } else if (asked.getHttpGet() != null) {
        return answers(asked.getHttpGet(), limit);
      }
      return asked.getTcpSocket() == null || isOpen(port(asked.getTcpSocket().getPort()), limit);
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private boolean ran(List<String> command, Duration limit)
      throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(hosted.join(command))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD);
    builder.environment().putAll(hosted.variables());
    var process = builder.start();
    if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      return process.exitValue() == 0;
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    return false;
  }

  private boolean answers(HTTPGetAction asked, Duration limit) throws IOException {
    var scheme = asked.getScheme() == null ? "http" : asked.getScheme().toLowerCase(Locale.ROOT);
    var path = asked.getPath() == null ? "/" : asked.getPath();
    var url = "%s://%s:%d%s".formatted(scheme, ip, port(asked.getPort()), path);
    var connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    connection.setConnectTimeout((int) limit.toMillis());
    connection.setReadTimeout((int) limit.toMillis());
    try {
      var code = connection.getResponseCode();
      return code >= HttpURLConnection.HTTP_OK && code < HttpURLConnection.HTTP_BAD_REQUEST;
    } finally {
      connection.disconnect();
    }
  }

  private boolean isOpen(int port, Duration limit) throws IOException {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(ip, port), (int) limit.toMillis());
      return true;
    }
  }

  /** A port may be named. */
  private int port(IntOrString port) {
    return port.getIntVal() != null
        ? port.getIntVal()
        : named(port.getStrVal(), hosted.container());
  }

  private static int named(String name, Container container) {
    return container.getPorts().stream()
        .filter(one -> name.equals(one.getName()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("there is no port " + name))
        .getContainerPort();
  }

  private static int or(Integer value, int otherwise) {
    return value == null ? otherwise : value;
  }
}
