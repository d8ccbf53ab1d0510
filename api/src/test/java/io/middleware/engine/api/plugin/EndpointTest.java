package io.middleware.engine.api.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndpointTest {
  @Test
  void shouldReadWhatItSays() {
    var inClear = new Endpoint("rw", EndpointRole.PRIMARY, 6379);
    var byTls = new Endpoint("rw-tls", EndpointRole.PRIMARY, 6380, null, "certificate");
    assertThat(Endpoint.parse(inClear.text())).contains(inClear);
    assertThat(Endpoint.parse(byTls.text())).contains(byTls);
  }

  @Test
  void shouldReadNoOtherText() {
    assertThat(Endpoint.parse("rw Primary")).isEmpty();
    assertThat(Endpoint.parse("rw Primary 6380 certificate more")).isEmpty();
    assertThat(Endpoint.parse("rw Leader 6380")).isEmpty();
  }
}
