package io.middleware.engine.agent.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The pods of a StatefulSet, resolved by the DNS names of its headless Service.
 *
 * @param pod this pod, for example {@code cache-2}
 * @param service the headless Service, which also publishes pods that are not ready
 * @param replicas a file with the number of pods, from a ConfigMap that follows the group
 */
public record DnsPeers(String pod, String service, int port, Path replicas) implements GroupPeers {

  @Override
  public List<RedisPeer> present() {
    var set = pod.substring(0, pod.lastIndexOf('-') + 1);
    return IntStream.range(0, expected())
        .mapToObj(number -> peer(set + number))
        .flatMap(Optional::stream)
        .toList();
  }

  @Override
  public int expected() {
    try {
      return Integer.parseInt(Files.readString(replicas).strip());
    } catch (IOException e) {
      throw new UncheckedIOException("read the number of pods from " + replicas, e);
    }
  }

  /** With the address of the pod, as Redis names its replicas. A missing pod has no DNS name. */
  private Optional<RedisPeer> peer(String name) {
    try {
      var address = DnsServiceAddresses.text(InetAddress.getByName(name + "." + service));
      return Optional.of(new RedisPeer(name, address, port));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }
}
