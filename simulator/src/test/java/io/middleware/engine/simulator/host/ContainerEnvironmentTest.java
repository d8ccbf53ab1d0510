package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContainerEnvironmentTest {
  private FakeCluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster = new FakeCluster();
    cluster.putConfigMap("load", Map.of("clients", "50"));
    cluster.putSecret("login", Map.of("password", "s3cret"));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void shouldTakeVariablesFromWhereTheKubeletTakesThem() {
    assertThat(
            variables(
                """
                envFrom:
                - {prefix: load_, configMapRef: {name: load}}
                - {secretRef: {name: missing, optional: true}}
                env:
                - {name: HOST, valueFrom: {fieldRef: {fieldPath: "metadata.annotations['test.middleware.io/inject-host']"}}}
                - {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
                - {name: NONE, valueFrom: {fieldRef: {fieldPath: "metadata.labels['none']"}}}
                - {name: PASSWORD, valueFrom: {secretKeyRef: {name: login, key: password}}}
                - {name: CLIENTS, valueFrom: {configMapKeyRef: {name: load, key: clients}}}
                - {name: LATER, valueFrom: {configMapKeyRef: {name: load, key: later, optional: true}}}
                - {name: URL, value: redis://$(HOST):6379/$(UNKNOWN)$$(POD)}
                """))
        .containsExactly(
            Map.entry("load_clients", "50"),
            Map.entry("HOST", "127.88.1.1"),
            Map.entry("POD", "load-0"),
            Map.entry("NONE", ""),
            Map.entry("PASSWORD", "s3cret"),
            Map.entry("CLIENTS", "50"),
            Map.entry("URL", "redis://127.88.1.1:6379/$(UNKNOWN)$(POD)"));
  }

  @Test
  void shouldNameWhatIsMissing() {
    // Given
    var key = "env: [{name: P, valueFrom: {secretKeyRef: {name: login, key: user}}}]";
    var secret = "env: [{name: P, valueFrom: {secretKeyRef: {name: other, key: user}}}]";
    // Then
    assertThatThrownBy(() -> variables(key)).hasMessage("there is no key user");
    assertThatThrownBy(() -> variables(secret)).hasMessage("there is no Secret shop/other");
  }

  private Map<String, String> variables(String container) {
    var pod =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: load-0
              namespace: shop
              annotations: {test.middleware.io/inject-host: 127.88.1.1}
            spec:
              containers:
              - name: main
            """
                + container.indent(4),
            Pod.class);
    var main = pod.getSpec().getContainers().getFirst();
    return ContainerEnvironment.of(pod, main, cluster.client()).variables();
  }
}
