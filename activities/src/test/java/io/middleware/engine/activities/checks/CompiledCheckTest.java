package io.middleware.engine.activities.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.check.Check;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompiledCheckTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cel: \"replicas > 0\"",
        "cel: \"object('ConfigMap', app).data.size() > 0\"",
        "prometheus: {query: \"errors{app='$(app)'}\", cel: \"result[0] < 1.0\"}"
      })
  void shouldTakeNoPodsForWhatDoesNotReadThem(String condition) {
    assertThat(check(condition).takesPods()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cel: \"nodes.all(n, n.ready)\"",
        "cel: \"replicas == nodes.size()\"",
        "prometheus: {query: up, cel: \"result.size() == size(nodes)\"}",
        "agent: {ask: lag, cel: \"int(answer) == 0\"}",
        "webhook: {url: \"http://127.0.0.1/serves\"}"
      })
  void shouldTakeThemForWhatDoes(String condition) {
    assertThat(check(condition).takesPods()).isTrue();
  }

  private static CompiledCheck check(String condition) {
    return CompiledCheck.of(
        Serialization.unmarshal("name: one\nallOf: [{%s}]\n".formatted(condition), Check.class));
  }
}
