package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Component;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad input gets a clear answer at the earliest place, and nothing is written. */
@EndToEnd
class BadInputE2E {
  private static final String SYSTEM = "middleware-system";
  private final Shop shop;

  BadInputE2E(Shop shop) {
    this.shop = shop;
  }

  static Stream<Arguments> shouldRejectAnAppThatCannotBeCarriedOut() {
    return Stream.of(
        Arguments.of("PluginNotFound", "version: 1.0.0", "version: 9.9.9", "redis-v9.9.9"),
        Arguments.of("RuntimeNotOffered", "version: \"7.0\"", "version: \"6.2\"", "7.0"),
        Arguments.of("InvalidSpec", "type: redis", "type: mongo", "mongo"),
        Arguments.of("InvalidSpec", "maxmemory: 100mb", "maxmemory: lots", "maxmemory"),
        Arguments.of("InvalidSpec", "databases: 16", "databases: 100", "databases"),
        Arguments.of("InvalidSpec", "databases: 16", "nosuch: 16", "nosuch"));
  }

  @ParameterizedTest
  @MethodSource
  void shouldRejectAnAppThatCannotBeCarriedOut(
      String reason, String good, String bad, String inMessage) {
    // When
    shop.apply(shop.cache().replace(good, bad));
    // Then
    assertRejected("cache", reason, inMessage);
  }

  @Test
  void shouldRejectAnUpgradePathThatIsNotOffered() {
    // Given
    shop.apply(shop.small("one").replace("version: \"7.0\"", "version: \"7.2\""));
    shop.awaitReady("one");
    // When
    shop.apply(shop.small("one"));
    // Then
    var app =
        shop.awaitApp(
            "one",
            a ->
                Shop.condition(a, "Accepted")
                    .filter(c -> c.getStatus().equals("False"))
                    .isPresent());
    assertThat(Shop.condition(app, "Accepted").orElseThrow().getMessage())
        .contains("7.2")
        .contains("7.0");
    assertThat(shop.pods("one"))
        .allSatisfy(
            pod ->
                assertThat(pod.getSpec().getContainers().getFirst().getImage()).endsWith(":7.2"));
  }

  static Stream<Arguments> shouldRejectWhatAPluginRendersWrongly() {
    return Stream.of(
        Arguments.of("TemplateError", "name: \"${name}-config\"", "name: \"${nme}-config\"", "nme"),
        Arguments.of(
            "OutputRefused",
            "volumes: [{name: config, configMap: {name: \"${name}-config\"}}]",
            "volumes: [{name: config, hostPath: {path: /etc}}]",
            "hostPath"),
        Arguments.of(
            "OutputRefused",
            "metadata: {name: \"${name}-config\"}",
            "metadata: {name: \"${name}-config\", namespace: kube-system}",
            "kube-system"),
        Arguments.of(
            "OutputRefused",
            "apiVersion: v1\n        kind: ConfigMap\n        metadata: {name: \"${name}-config\"}\n        data:",
            "apiVersion: rbac.authorization.k8s.io/v1\n        kind: ClusterRole\n        metadata: {name: \"${name}-config\"}\n        data:",
            "ClusterRole"),
        Arguments.of("ObjectRefused", "clusterIP: None", "clusterIPP: None", "clusterIPP"));
  }

  @ParameterizedTest
  @MethodSource
  void shouldRejectWhatAPluginRendersWrongly(
      String reason, String good, String bad, String inMessage) {
    // Given
    var plugin = plugin("broken", text -> text.replace(good, bad));
    try {
      // When
      shop.apply(
          shop.cache().replace("name: redis, version: 1.0.0", "name: broken, version: 1.0.0"));
      // Then
      assertRejected("cache", reason, inMessage);
    } finally {
      shop.kubectl("", "delete", "plugin", plugin, "-n", SYSTEM);
    }
  }

  @Test
  void shouldSayHowToAllowTheEngineToWriteAsAnAccount() {
    // Given
    shop.kubectl("", "create", "serviceaccount", "nobody", "-n", shop.namespace);
    var app = shop.cache().replace("spec:\n", "spec:\n  serviceAccountName: nobody\n");
    shop.apply(app);
    assertRejected(
        "cache",
        "WriteForbidden",
        "may not write as service account %s/nobody".formatted(shop.namespace));
    // When
    commandsIn(message("cache")).forEach(command -> Engine.run(List.of(command.split(" "))));
    shop.apply(app.replace("replicas: 3", "replicas: 1"));
    shop.awaitApp(
        "cache",
        it -> it.getMetadata().getGeneration().equals(it.getStatus().observedGeneration()));
    // Then: the engine is allowed, and what the account may not write is in the server's words
    assertRejected(
        "cache",
        "WriteForbidden",
        "User \"system:serviceaccount:" + shop.namespace + ":nobody\" cannot patch resource");
  }

  @Test
  void shouldGoOnWithOtherAppsWhenAPluginCannotBeRead() {
    // Given
    var plugin = plugin("unreadable", text -> text);
    try {
      shop.kubectl(
          "",
          "patch",
          "plugin",
          plugin,
          "-n",
          SYSTEM,
          "--type=json",
          "-p=[{\"op\":\"replace\",\"path\":\"/spec/componentTypes/0/templates\",\"value\":[{\"template\":{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"${\"}}}]}]");
      // When
      shop.apply(
          shop.cache().replace("name: redis, version: 1.0.0", "name: unreadable, version: 1.0.0"));
      shop.apply(shop.small("fine"));
      // Then
      shop.awaitReady("fine");
      assertRejected("cache", "TemplateError", "unreadable");
    } finally {
      shop.kubectl("", "delete", "plugin", plugin, "-n", SYSTEM);
    }
  }

  @Test
  void shouldRefuseImmutableFieldsAtTheApiServer() {
    // Given
    shop.apply(shop.cache());
    shop.awaitReady("cache");
    // When / Then
    assertThat(
            shop.refusal(
                shop.cache().replace("name: redis, version: 1.0.0", "name: mysql, version: 1.0.0")))
        .contains("immutable");
    assertThat(
            shop.refusal(shop.cache().replace("size: 1Gi", "size: 1Gi, storageClassName: other")))
        .contains("storageClassName is immutable");
    assertThat(shop.refusal(shop.cache().replace("spec:\n", "spec:\n  state: Flying\n")))
        .contains("Running");
  }

  private String message(String app) {
    return Shop.condition(shop.app(app), "Accepted").orElseThrow().getMessage();
  }

  private static List<String> commandsIn(String message) {
    return Pattern.compile("`(kubectl[^`]+)`")
        .matcher(message)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** The sample plugin under another name, changed; returns the object's name. */
  private String plugin(String name, UnaryOperator<Yaml> change) {
    shop.apply(
        change
            .apply(shop.sample("plugin-redis.yaml").last())
            .replace("name: redis-v1.0.0", "name: " + name + "-v1.0.0")
            .replace("  name: redis\n  version: 1.0.0", "  name: " + name + "\n  version: 1.0.0"));
    return name + "-v1.0.0";
  }

  private void assertRejected(String name, String reason, String inMessage) {
    var app =
        shop.awaitApp(
            name,
            a ->
                Shop.condition(a, "Accepted")
                    .filter(c -> c.getStatus().equals("False"))
                    .isPresent());
    var accepted = Shop.condition(app, "Accepted").orElseThrow();
    System.out.println(accepted.getReason() + ": " + accepted.getMessage());
    assertThat(accepted.getReason()).isEqualTo(reason);
    assertThat(accepted.getMessage()).contains(inMessage);
    assertThat(
            shop
                .client
                .resources(Component.class)
                .inNamespace(shop.namespace)
                .list()
                .getItems()
                .stream()
                .filter(c -> c.getMetadata().getName().startsWith(name + "-")))
        .isEmpty();
    assertThat(
            shop.audit.writes(shop.namespace).stream()
                .filter(
                    w ->
                        w.name().startsWith(name)
                            && !w.resource().startsWith("apps")
                            && !w.resource().equals("controllerrevisions")))
        .isEmpty();
  }
}
