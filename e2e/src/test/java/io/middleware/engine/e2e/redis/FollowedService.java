package io.middleware.engine.e2e.redis;

import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.middleware.engine.e2e.Shop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What a Service leads to, as a client that knows only its name finds it, and since when. */
final class FollowedService implements AutoCloseable {
  private final SharedIndexInformer<EndpointSlice> informer;
  private final Map<String, List<String>> bySlice = new ConcurrentHashMap<>();
  private final List<Lead> leads = new ArrayList<>();

  /**
   * @param at the time at which it was seen, in nanoseconds
   */
  record Lead(long at, List<String> addresses) {}

  FollowedService(Shop shop, String service) {
    informer =
        shop.client
            .discovery()
            .v1()
            .endpointSlices()
            .inNamespace(shop.namespace)
            .withLabel("kubernetes.io/service-name", service)
            .inform(new Seen());
  }

  /** Now. */
  synchronized List<String> addresses() {
    return leads.isEmpty() ? List.of() : leads.getLast().addresses();
  }

  synchronized List<Lead> leads() {
    return List.copyOf(leads);
  }

  /** When it began to lead to this address alone. */
  synchronized long since(String address) {
    var since = Long.MIN_VALUE;
    for (var lead : leads) {
      var leadsThere = lead.addresses().equals(List.of(address));
      if (leadsThere && since == Long.MIN_VALUE) {
        since = lead.at();
      } else if (!leadsThere) {
        since = Long.MIN_VALUE;
      }
    }
    return since;
  }

  @Override
  public void close() {
    informer.close();
  }

  private synchronized void see(EndpointSlice slice, List<String> addresses) {
    bySlice.put(slice.getMetadata().getName(), addresses);
    var all = bySlice.values().stream().flatMap(List::stream).toList();
    leads.add(new Lead(System.nanoTime(), all));
  }

  private static List<String> addresses(EndpointSlice slice) {
    return Stream.ofNullable(slice.getEndpoints())
        .flatMap(List::stream)
        .map(Endpoint::getAddresses)
        .filter(Objects::nonNull)
        .flatMap(List::stream)
        .map(FollowedService::ip)
        .toList();
  }

  /** Addresses of simulated pods are in the slice as names. */
  private static String ip(String address) {
    return address.endsWith(".pod")
        ? address.substring(0, address.length() - ".pod".length()).replace('-', '.')
        : address;
  }

  private final class Seen implements ResourceEventHandler<EndpointSlice> {
    @Override
    public void onAdd(EndpointSlice slice) {
      see(slice, addresses(slice));
    }

    @Override
    public void onUpdate(EndpointSlice before, EndpointSlice now) {
      see(now, addresses(now));
    }

    @Override
    public void onDelete(EndpointSlice slice, boolean unknown) {
      see(slice, List.of());
    }
  }
}
