package io.middleware.engine.watcher.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.middleware.engine.api.AppEndpoint;
import io.middleware.engine.api.Labels;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EndpointServiceTest {
  @Test
  void shouldSayWhichOnesAreForClientsThatUseTls() {
    var services =
        Stream.of(
            service("cache-a-rw", "rw Primary 6379"),
            service("cache-a-rw-tls", "rw-tls Primary 6380 certificate"));
    assertThat(EndpointService.among(services))
        .extracting(it -> it.inStatus("shop"))
        .extracting(AppEndpoint::host, AppEndpoint::port, AppEndpoint::tls)
        .containsExactly(
            tuple("cache-a-rw.shop.svc", 6379, null), tuple("cache-a-rw-tls.shop.svc", 6380, true));
  }

  private static Service service(String name, String endpoint) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName(name)
        .withUid("uid-of-" + name)
        .addToAnnotations(Labels.ENDPOINT, endpoint)
        .addToLabels(Labels.COMPONENT, "a")
        .addToLabels(Labels.GROUP, "a")
        .endMetadata()
        .build();
  }
}
