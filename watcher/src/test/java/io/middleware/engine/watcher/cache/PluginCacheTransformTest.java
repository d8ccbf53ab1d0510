package io.middleware.engine.watcher.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.plugin.Plugin;
import org.junit.jupiter.api.Test;

class PluginCacheTransformTest {

  @Test
  void shouldKeepWhereAgentsListenAndWhatActionsExclude() {
    // Given
    var plugin =
        Serialization.unmarshal(
            """
            apiVersion: middleware.io/v1
            kind: Plugin
            metadata: {name: redis-v1.0.0}
            spec:
              name: redis
              agent: {port: 9090}
              componentTypes:
              - name: redis
                templates: [{template: {kind: ConfigMap}}]
                actions: [{name: flush}, {name: report, exclusive: false}, {name: check, exclusive: false}]
              - name: sentinel
                actions: [{name: check, exclusive: true}]
            """,
            Plugin.class);
    // When
    PluginCacheTransform.reduce(plugin);
    // Then
    var spec = plugin.getSpec();
    assertThat(spec.agent().port()).isEqualTo(9090);
    assertThat(spec.componentTypes()).allSatisfy(type -> assertThat(type.templates()).isNull());
    assertThat(spec.isShared("report")).isTrue();
    assertThat(spec.isShared("flush")).isFalse();
    assertThat(spec.isShared("check")).as("one type excludes").isFalse();
    assertThat(spec.isShared("unknown")).isFalse();
  }
}
