package io.middleware.engine.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart's policies and its roles for people: what they forbid and allow, in one namespace. */
@EndToEnd
class AdmissionE2E {
  private static final String PAUSE = "{'spec': {'paused': true}}";

  private static Shop shop;
  private static String policies;

  /** The App {@code old} is earlier than the policy, which does not allow its account. */
  @BeforeAll
  static void install(Shop own) {
    shop = own;
    shop.apply(naming("old", "other"));
    policies = policiesOfOneNamespace();
    shop.kubectl(policies, "apply", "-f", "-");
    for (var role : List.of("view", "operate", "edit")) {
      bind(role);
    }
    await("policies in force").untilAsserted(AdmissionE2E::refuseAll);
    shop.apply(shop.small("one"));
    shop.awaitReady("one");
  }

  private static Yaml naming(String app, String account) {
    return shop.small(app).replace("spec:\n", "spec:\n  serviceAccountName: " + account + "\n");
  }

  /** The policies have other names and bindings, because other tests write in other namespaces. */
  private static String policiesOfOneNamespace() {
    var here =
        "[Deny], matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}}";
    var file = "templates/policies/admission.yaml";
    var values =
        "admission.serviceAccountNames={middleware-deployer},admission.keepNamespaces=true";
    return new Yaml(Chart.render("--set", values, "--show-only", file))
        .replace("metadata: {name: middleware-", "metadata: {name: " + shop.namespace + "-")
        .replace("policyName: middleware-", "policyName: " + shop.namespace + "-")
        .replace("[Deny]", here.formatted(shop.namespace))
        .text();
  }

  /** A user of the role's name has it in this namespace. */
  private static void bind(String role) {
    kubectl("create", "rolebinding", role, "--user=" + role, "--clusterrole=middleware-" + role);
  }

  /** The API server follows a policy some seconds after it was made: nothing is written here. */
  private static void refuseAll() {
    refuse(() -> patch("app", "old", "operate", PAUSE, "--dry-run=server"), "may annotate");
    refuse(() -> dryRun(naming("new", "other").text()), "is not allowed here");
    var record =
        "apiVersion: middleware.io/v1\nkind: Component\nmetadata: {name: mine}\nspec: {}\n";
    refuse(() -> dryRun(record), "only Middleware Engine writes components");
    refuse(() -> deleteCrd("apps"), "uninstall Middleware Engine first");
  }

  private static void deleteCrd(String kind) {
    shop.kubectl("", "delete", "crd", kind + ".middleware.io", "--dry-run=server");
  }

  private static void dryRun(String manifest) {
    shop.kubectl(manifest, "apply", "--dry-run=server", "-n", shop.namespace, "-f", "-");
  }

  @AfterAll
  static void remove() {
    shop.kubectl(policies, "delete", "-f", "-");
  }

  private static String kubectl(String... words) {
    var all = new ArrayList<>(List.of(words));
    all.addAll(List.of("-n", shop.namespace));
    return shop.kubectl("", all.toArray(String[]::new));
  }

  private static String patch(
      String kind, String name, String user, String change, String... more) {
    var words = new ArrayList<>(List.of("patch", kind, name, "--type=merge", "--as=" + user));
    words.addAll(List.of("-p", change.replace('\'', '"')));
    words.addAll(List.of(more));
    return kubectl(words.toArray(String[]::new));
  }

  private static void refuse(ThrowingCallable request, String message) {
    assertThatThrownBy(request).hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"component/one-sentinel", "group/one-sentinel-all"})
  void shouldLetOnlyTheEngineWriteItsRecords(String object) {
    // Given
    var kind = object.substring(0, object.indexOf('/'));
    var message = "only Middleware Engine writes " + kind + "s: edit the App instead";
    // Then
    assertThat(kubectl("get", object))
        .as("the engine has written it under the policy")
        .isNotEmpty();
    refuse(() -> kubectl("annotate", object, "by=hand"), message);
    refuse(() -> kubectl("delete", object), message);
    refuse(
        () ->
            kubectl(
                "patch", object, "--subresource=status", "--type=merge", "-p", "{\"status\": {}}"),
        message);
  }

  @Test
  void shouldLetOnlyTheEngineWriteStatuses() {
    refuse(
        () ->
            kubectl(
                "patch",
                "app/one",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\": {\"change\": {\"outcome\": \"Failed\"}}}"),
        "only Middleware Engine writes the status of apps; to repair");
  }

  /** Otherwise the engine would tear all Apps down. */
  @ParameterizedTest
  @ValueSource(
      strings = {"apps", "components", "groups", "operations", "plugins", "loadtests.test"})
  void shouldKeepTheCrdsAsLongAsTheEngineIsInstalled(String kind) {
    refuse(
        () -> deleteCrd(kind),
        "with the CRD " + kind + ".middleware.io all its objects would be deleted");
  }

  /** The Apps have to go first, in order. */
  @Test
  void shouldKeepANamespaceThatHasApps() {
    refuse(
        () -> shop.kubectl("", "delete", "namespace", shop.namespace, "--dry-run=server"),
        "whose pods and volumes would be deleted without order: first kubectl delete apps --all");
  }

  @Test
  void shouldLetOperatorsAnnotateAndNothingElse() {
    assertThatCode(() -> annotate("operate")).doesNotThrowAnyException();
    refuse(() -> patch("app", "one", "operate", PAUSE), "may annotate the App one but not change");
    refuse(
        () -> patch("app", "one", "operate", "{'metadata': {'finalizers': []}}"),
        "not change its spec, finalizers or owners");
    refuse(
        () ->
            patch(
                "app",
                "one",
                "operate",
                "{'metadata': {'ownerReferences': [{'apiVersion': 'v1', 'kind': 'Pod', 'name': 'a', 'uid': 'b'}]}}"),
        "not change its spec, finalizers or owners");
    for (var forced : List.of("force-conflicts", "force-delete", "accept-data-loss")) {
      refuse(
          () ->
              kubectl(
                  "annotate", "app", "one", "middleware.io/" + forced + "=true", "--as=operate"),
          "nor force anything");
    }
    refuse(() -> kubectl("delete", "app", "one", "--as=operate"), "cannot delete resource");
  }

  private static String annotate(String user) {
    return kubectl("annotate", "app", "one", "--overwrite", "seen-by=" + user, "--as=" + user);
  }

  @Test
  void shouldLetEditorsChangeTheSpecAndNoRecord() {
    assertThatCode(() -> patch("app", "one", "edit", "{'spec': {'runtime': {'version': '7.2'}}}"))
        .doesNotThrowAnyException();
    shop.awaitReady("one");
    refuse(
        () -> kubectl("annotate", "component", "one-sentinel", "by=hand", "--as=edit"),
        "cannot patch resource");
  }

  @Test
  void shouldLetViewersReadOnly() {
    assertThat(kubectl("get", "apps,components,groups,events,controllerrevisions", "--as=view"))
        .contains("app.middleware.io/one", "controllerrevision.apps/one-1");
    refuse(() -> annotate("view"), "cannot patch resource");
    refuse(() -> kubectl("get", "secrets", "--as=view"), "cannot list resource");
  }

  @Test
  void shouldTakeOnlyAccountsThatAreAllowed() {
    refuse(
        () -> shop.apply(naming("new", "other")),
        "spec.serviceAccountName: other is not allowed here: use one of middleware-deployer");
    assertThatCode(() -> shop.apply(naming("new", "middleware-deployer")))
        .doesNotThrowAnyException();
    shop.awaitReady("new");
  }

  /** Its finalizer must be removed: an edit that the policy sees. */
  @Test
  void shouldLetAnAppGoThatNamedAnotherAccountBefore() {
    refuse(
        () -> patch("app", "old", "edit", "{'spec': {'serviceAccountName': 'third'}}"),
        "third is not allowed here");
    assertThatCode(() -> kubectl("delete", "app", "old", "--timeout=4m"))
        .doesNotThrowAnyException();
  }
}
