package io.middleware.engine.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the API server says that engine, Apps and people may do is what the reference says. */
@EndToEnd
class GrantedRightsE2E {
  private final Shop shop;

  GrantedRightsE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldLetTheEngineReadNoSecretButTheOneForAgents() {
    assertThat(Right.names("middleware-watcher", "secrets"))
        .containsExactly("middleware-agent-tls");
    assertThat(Right.names("middleware-worker", "secrets")).containsExactly("middleware-agent-tls");
  }

  @ParameterizedTest
  @CsvSource({"Watcher, middleware-watcher", "Worker, middleware-worker"})
  void shouldGrantTheProcessesWhatTheReferenceSays(String section, String account) {
    // Given
    var user = "system:serviceaccount:" + Right.SYSTEM + ":" + account;
    var system = "`" + Right.SYSTEM + "`";
    // When Then
    assertThat(ListedRights.of(user, Right.SYSTEM))
        .isNotEmpty()
        .isEqualTo(ListedRights.documented(section, "all namespaces", "the cluster", system));
    assertThat(ListedRights.of(user, shop.namespace))
        .isNotEmpty()
        .isEqualTo(ListedRights.documented(section, "all namespaces", "the cluster", "`shop`"));
  }

  @Test
  void shouldGrantAnAppsAccountWhatTheReferenceSays() {
    var user = "system:serviceaccount:" + shop.namespace + Right.DEPLOYER;
    awaitGranted(user, ListedRights.documented("Account of an App", "`shop`"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"view", "operate", "edit", "test"})
  void shouldGrantPeopleWhatTheReferenceSays(String role) {
    // When
    shop.kubectl(
        "",
        "create",
        "rolebinding",
        role,
        "--clusterrole=middleware-" + role,
        "--user=" + role,
        "--namespace=" + shop.namespace);
    // Then
    awaitGranted(role, ListedRights.documented("People who " + role, "where it is bound"));
  }

  @Test
  void shouldLetTheWorkerActAsNoAccountButTheOneThatTheTeamGrants() {
    await("right")
        .until(() -> mayImpersonate("middleware-deployer", shop.namespace), "yes"::equals);
    assertThat(mayImpersonate("default", shop.namespace)).isEqualTo("no");
    assertThat(mayImpersonate("middleware-worker", Right.SYSTEM)).isEqualTo("no");
    assertThat(mayImpersonate("default", "kube-system")).isEqualTo("no");
  }

  /** The API server knows a role that was bound just now a little later. */
  private void awaitGranted(String user, Set<String> documented) {
    assertThat(documented).isNotEmpty();
    await("rights of " + user)
        .untilAsserted(
            () -> assertThat(ListedRights.of(user, shop.namespace)).isEqualTo(documented));
  }

  /** {@code kubectl auth can-i} fails when the answer is no. */
  private static String mayImpersonate(String account, String namespace) {
    var question = "impersonate serviceaccounts/" + account;
    return Engine.run(
            List.of(
                "sh",
                "-c",
                "kubectl auth can-i %s -n %s --as=%s || true"
                    .formatted(question, namespace, Right.WORKER)))
        .strip();
  }
}
