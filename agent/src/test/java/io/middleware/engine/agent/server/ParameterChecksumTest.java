package io.middleware.engine.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ParameterChecksumTest {
  @Test
  void shouldHashSortedLines() {
    // printf 'appendonly=yes\nmaxmemory=64mb\n' | sha256sum
    assertThat(ParameterChecksum.of(Map.of("maxmemory", "64mb", "appendonly", "yes")))
        .isEqualTo("b5dad7ae97d4fa4726c5332a7dae36016c455dc6486f174a1daaf2449138e858");
  }

  @Test
  void shouldHashAnEmptyTextWithoutParameters() {
    assertThat(ParameterChecksum.of(Map.of()))
        .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  }
}
