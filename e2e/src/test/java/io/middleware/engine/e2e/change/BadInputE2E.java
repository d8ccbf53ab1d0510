package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.Component;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Bad input gets a clear answer at the earliest place, and nothing is written. */
@EndToEnd
class BadInputE2E {
  private final Shop shop;

  BadInputE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldRejectAnAppThatCannotBeCarriedOut() {
    // When
    shop.apply(shop.cache().replace("maxmemory: 100mb", "maxmemory: lots"));
    // Then
    assertRejected("InvalidSpec", "maxmemory");
  }

  @Test
  void shouldSayHowToAllowTheEngineToWriteAsAnAccount() {
    // Given
    shop.kubectl("", "create", "serviceaccount", "nobody", "-n", shop.namespace);
    var app = shop.cache().replace("spec:\n", "spec:\n  serviceAccountName: nobody\n");
    shop.apply(app);
    assertRejected(
        "WriteForbidden", "may not write as service account %s/nobody".formatted(shop.namespace));
    // When
    commandsIn(message()).forEach(command -> Engine.run(List.of(command.split(" "))));
    shop.apply(app.replace("replicas: 3", "replicas: 1"));
    shop.awaitApp(
        "cache",
        it -> it.getMetadata().getGeneration().equals(it.getStatus().observedGeneration()));
    // Then: the engine is allowed, and what the account may not write is in the server's words
    assertRejected(
        "WriteForbidden",
        "User \"system:serviceaccount:" + shop.namespace + ":nobody\" cannot patch resource");
  }

  private String message() {
    return Shop.condition(shop.app("cache"), "Accepted").orElseThrow().getMessage();
  }

  private static List<String> commandsIn(String message) {
    return Pattern.compile("`(kubectl[^`]+)`")
        .matcher(message)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** The API server knows a right a little later: the engine has asked before, and asks again. */
  private void assertRejected(String reason, String inMessage) {
    var app =
        shop.awaitApp(
            "cache",
            a ->
                Shop.condition(a, "Accepted")
                    .filter(c -> c.getStatus().equals("False"))
                    .filter(c -> c.getMessage().contains(inMessage))
                    .isPresent());
    var accepted = Shop.condition(app, "Accepted").orElseThrow();
    System.out.println(accepted.getReason() + ": " + accepted.getMessage());
    assertThat(accepted.getReason()).isEqualTo(reason);
    assertThat(
            shop
                .client
                .resources(Component.class)
                .inNamespace(shop.namespace)
                .list()
                .getItems()
                .stream()
                .filter(c -> c.getMetadata().getName().startsWith("cache-")))
        .isEmpty();
    assertThat(
            shop.audit.writes(shop.namespace).stream()
                .filter(
                    w ->
                        w.name().startsWith("cache")
                            && !w.resource().startsWith("apps")
                            && !w.resource().equals("controllerrevisions")))
        .isEmpty();
  }
}
