package io.middleware.engine.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.GroupSpecBuilder;
import io.middleware.engine.api.access.ClientAccess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessPeersTest {
  private static final String OWN = "{podSelector: {matchLabels: {middleware.io/app: cache}}}";

  private final AccessPeers peers = new AccessPeers("engines");

  @Test
  void shouldSayNothingWhereEverybodyMayConnect() {
    assertThat(peers.of(group(null))).isEmpty();
  }

  @Test
  void shouldLetInOwnPodsAndTheEngineAlone() {
    // When
    var access = peers.of(group("{}"));
    // Then
    assertThat(access).containsEntry("app", List.of(yaml(OWN)));
    assertThat(access).containsEntry("clients", List.of(yaml(OWN)));
    assertThat(access)
        .containsEntry(
            "engine",
            List.of(
                yaml(
                    "{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: engines}}, podSelector: {matchLabels: {app.kubernetes.io/part-of: middleware-engine}}}")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {pods: {}}                                | {podSelector: {}}
          {namespaces: {matchLabels: {team: a}}}    | {namespaceSelector: {matchLabels: {team: a}}}
          {namespaces: {}, pods: {matchLabels: {app: web}}} | {namespaceSelector: {}, podSelector: {matchLabels: {app: web}}}
          {pods: {matchExpressions: [{key: app, operator: In, values: [a, b]}, {key: old, operator: DoesNotExist}]}} | {podSelector: {matchExpressions: [{key: app, operator: In, values: [a, b]}, {key: old, operator: DoesNotExist}]}}
          """)
  void shouldLetInTheClientsAsWell(String access, String peer) {
    assertThat(peers.of(group(access))).containsEntry("clients", List.of(yaml(OWN), yaml(peer)));
  }

  private static GroupSpec group(String access) {
    var clients =
        access == null ? null : Serialization.unmarshal("---\n" + access, ClientAccess.class);
    return GroupSpecBuilder.builder().app("cache").access(clients).build();
  }

  private static Map<?, ?> yaml(String text) {
    return Serialization.unmarshal("---\n" + text, Map.class);
  }
}
