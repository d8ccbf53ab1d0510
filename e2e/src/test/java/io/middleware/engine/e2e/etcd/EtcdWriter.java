package io.middleware.engine.e2e.etcd;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** A user of an etcd cluster who writes without end, each key until a member confirms it. */
final class EtcdWriter implements AutoCloseable {
  static final String PREFIX = "write-";
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final EtcdClient client;
  private final Thread thread = Thread.ofVirtual().unstarted(this::write);
  private final CountDownLatch begun = new CountDownLatch(1);
  private volatile boolean stopped;

  /** By key, the revision that was confirmed. */
  private final Map<String, Long> confirmed = new LinkedHashMap<>();

  /**
   * @param addresses of the members' pods now
   */
  EtcdWriter(Supplier<List<String>> addresses) {
    this.client = new EtcdClient(addresses);
  }

  /** Returns when the first key is confirmed. */
  void start() throws InterruptedException {
    thread.start();
    begun.await();
  }

  /** The keys that are confirmed until now, in their order. */
  List<String> confirmed() {
    synchronized (confirmed) {
      return List.copyOf(confirmed.keySet());
    }
  }

  /**
   * Ends the writing.
   *
   * @return the confirmed keys that the cluster does not have, or has with an earlier revision
   */
  List<String> lost() throws InterruptedException {
    stopped = true;
    thread.join();
    var there = client.keys(PREFIX);
    return confirmed().stream()
        .filter(key -> there.getOrDefault(key, 0L) < confirmed.get(key))
        .toList();
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    client.close();
    thread.join();
  }

  private void write() {
    try {
      for (var number = 0; !stopped; Thread.sleep(PAUSE)) {
        var key = PREFIX + number;
        var revision = client.put(key);
        if (revision.isPresent()) {
          confirm(key, revision);
          number++;
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void confirm(String key, OptionalLong revision) {
    synchronized (confirmed) {
      confirmed.put(key, revision.getAsLong());
    }
    begun.countDown();
  }
}
