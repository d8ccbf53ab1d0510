package io.middleware.engine.agent.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DnsServiceAddressesTest {

  /** They are compared with what Redis, Sentinel and Kubernetes say. */
  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.7", "fd00::5", "fd00:10:244::1:a", "2001:db8::", "2001:db8:0:1:1:1:1:1"})
  void shouldWriteAddressesAsKubernetesDoes(String address) {
    assertThat(new DnsServiceAddresses().of(address)).containsExactly(address);
  }
}
