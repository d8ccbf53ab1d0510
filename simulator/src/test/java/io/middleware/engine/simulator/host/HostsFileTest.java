package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostsFileTest {
  private static final Map<String, String> SELECTOR = Map.of("app", "locks");

  @TempDir Path folder;

  @Test
  void shouldNamePodsAndServicesAsTheDnsOfACluster() {
    var self = pod("locks-0", "127.0.0.2", false);
    var other = pod("locks-1", "127.0.0.3", true);

    assertThat(
            text(
                self, List.of(self, other), service("locks", true), service("locks-client", false)))
        .isEqualTo(
            """
            127.0.0.2 localhost locks-0
            127.0.0.2 locks-0.locks locks-0.locks.shop locks-0.locks.shop.svc locks-0.locks.shop.svc.cluster.local
            127.0.0.2 locks locks.shop locks.shop.svc locks.shop.svc.cluster.local
            127.0.0.3 locks-1.locks locks-1.locks.shop locks-1.locks.shop.svc locks-1.locks.shop.svc.cluster.local
            127.0.0.3 locks locks.shop locks.shop.svc locks.shop.svc.cluster.local
            127.0.0.3 locks-client locks-client.shop locks-client.shop.svc locks-client.shop.svc.cluster.local
            """);
  }

  @Test
  void shouldNameNoPodsThatAServiceDoesNotSelect() {
    var self = pod("locks-0", "127.0.0.2", true);
    var ended =
        new PodBuilder(pod("locks-1", "127.0.0.3", true))
            .editStatus()
            .withPhase("Failed")
            .endStatus()
            .build();
    var unplaced = pod("locks-2", null, true);

    assertThat(text(self, List.of(self, ended, unplaced), service("locks", true)))
        .contains("locks-0.locks")
        .doesNotContain("locks-1", "locks-2");
    var external =
        new ServiceBuilder(service("locks", true)).editSpec().withSelector(null).endSpec().build();
    assertThat(text(self, List.of(self), external)).isEqualTo("127.0.0.2 localhost locks-0\n");
  }

  @Test
  void shouldReplaceTheFileAtOnceAndOnlyWhenItDiffers() throws IOException {
    try (var cluster = new FakeCluster()) {
      var self = pod("locks-0", "127.0.0.2", true);
      var hosts = new HostsFile(cluster.client(), self);
      var file = folder.resolve("run/hosts");
      hosts.writeTo(file, List.of(self));
      var first = Files.readAttributes(file, "unix:ino").get("ino");
      assertThat(file).hasContent("127.0.0.2 localhost locks-0");

      hosts.writeTo(file, List.of(self));
      assertThat(Files.readAttributes(file, "unix:ino")).containsEntry("ino", first);
      cluster.putServices(service("locks", false));
      hosts.writeTo(file, List.of(self));

      assertThat(file).content().contains("locks-0.locks.shop.svc");
      assertThat(folder.resolve("run")).isDirectoryContaining(one -> one.equals(file));
    }
  }

  private static String text(Pod self, List<Pod> pods, Service... services) {
    return new HostsFile(null, self).text(pods, List.of(services));
  }

  private static Service service(String name, boolean notReadyToo) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withSelector(SELECTOR)
        .withPublishNotReadyAddresses(notReadyToo)
        .endSpec()
        .build();
  }

  private static Pod pod(String name, String ip, boolean ready) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("shop")
        .withLabels(SELECTOR)
        .endMetadata()
        .withNewSpec()
        .withSubdomain("locks")
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .withPodIP(ip)
        .addNewCondition()
        .withType("Ready")
        .withStatus(ready ? "True" : "False")
        .endCondition()
        .endStatus()
        .build();
  }
}
