package io.middleware.engine.watcher.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpecBuilder;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpecBuilder;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.change.ChangeStatusBuilder;
import io.middleware.engine.watcher.FakeClock;
import io.middleware.engine.watcher.temporal.TemporalUnavailableException;
import io.middleware.engine.workflows.port.SecretActivities.LookedUpApp;
import io.middleware.engine.workflows.port.SecretActivities.LookedUpSecret;
import io.middleware.engine.workflows.port.SecretActivities.SecretState;
import io.middleware.engine.workflows.port.SecretActivities.SeenSecret;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The App {@code cache} takes its password from the Secret {@code users}, which others write. */
class SecretLooksTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final FakeClock clock = new FakeClock();
  private final List<LookedUpApp> read = new ArrayList<>();
  private final List<String> reconciled = new ArrayList<>();

  /** By name; one that is not here is not answered for. */
  private final Map<String, SeenSecret> secrets = new HashMap<>();

  private final SecretLooks looks =
      new SecretLooks(this::read, id -> reconciled.add(id.getName()), clock);

  @Test
  void shouldReadNothingOfAnAppWithoutSecretsOfOthers() {
    // Given
    var generated = secretRef("cache-db-generated", "app", "v1");
    looks.observe(app("cache"), List.of(component(Map.of("password", generated))));
    looks.observe(app("plain"), List.of(component(Map.of("maxmemory", "1gb"))));
    // When
    turn();
    // Then
    assertThat(read).isEmpty();
  }

  @Test
  void shouldAskForAChangeWhenASecretHasChanged() {
    // Given
    deployed("v1");
    found("v1");
    turn();
    assertThat(looks.haveChanged(app("cache"))).isFalse();
    assertThat(reconciled).isEmpty();
    // When
    found("v2");
    turn();
    // Then
    assertThat(reconciled).containsExactly("cache");
    assertThat(looks.haveChanged(app("cache"))).isTrue();
    assertThat(read.getLast())
        .isEqualTo(
            new LookedUpApp(
                "shop",
                "cache",
                Optional.of("deployer"),
                List.of(new LookedUpSecret("users", List.of("app")))));
    // When it is carried out, and the Secret has changed once more meanwhile
    deployed("v3");
    // Then
    assertThat(looks.haveChanged(app("cache"))).isFalse();
  }

  @Test
  void shouldAskOnceALookForAChangeThatDoesNotTakeTheSecretOver() {
    // Given
    deployed("v1");
    found("v2");
    turn();
    // When
    clock.pass(Duration.ofSeconds(5));
    var done = ended(app("cache"), clock.instant());
    // Then
    assertThat(looks.haveChanged(done)).isFalse();
    // When the next looks find the same
    var asked = new ArrayList<Integer>();
    for (var minute = 1; minute <= 20; minute++) {
      reconciled.clear();
      turn();
      if (!reconciled.isEmpty()) {
        asked.add(minute);
      }
    }
    // Then
    assertThat(asked).containsExactly(1, 2, 4, 8, 16);
    // When
    deployed("v2");
    found("v3");
    reconciled.clear();
    turn();
    // Then
    assertThat(reconciled).containsExactly("cache");
  }

  @Test
  void shouldNameAMissingSecretUntilItIsBack() {
    // Given
    deployed("v1");
    // When
    secrets.put("users", seen(SecretState.MISSING, "Secret shop/users does not exist"));
    turn();
    // Then
    assertThat(reconciled).containsExactly("cache");
    assertThat(deployed("v1"))
        .extracting(SeenSecret::text)
        .containsExactly("Secret shop/users does not exist");
    assertThat(looks.haveChanged(app("cache"))).isFalse();
    // When nobody answers
    secrets.clear();
    turn();
    // Then
    assertThat(deployed("v1")).isNotEmpty();
    // When
    reconciled.clear();
    found("v2");
    turn();
    // Then
    assertThat(reconciled).containsExactly("cache");
    assertThat(deployed("v1")).isEmpty();
    assertThat(looks.haveChanged(app("cache"))).isTrue();
  }

  @Test
  void shouldFollowAnotherSecretInsteadOfOneThatWasMissing() {
    // Given
    deployed("v1");
    secrets.put("users", seen(SecretState.MISSING, "Secret shop/users does not exist"));
    turn();
    // When
    looks.observe(
        app("cache"), List.of(component(Map.of("password", secretRef("accounts", "app", "v1")))));
    secrets.put("accounts", new SeenSecret("shop", "cache", "accounts", SecretState.FOUND, "v2"));
    turn();
    // Then
    assertThat(looks.haveChanged(app("cache"))).isTrue();
  }

  @Test
  void shouldChangeNothingWhileAnotherSecretIsMissing() {
    // Given
    looks.observe(
        app("cache"),
        List.of(
            component(
                Map.of(
                    "password", secretRef("users", "app", "v1"),
                    "certificate", secretRef("cert", "tls.crt", "v1")))));
    found("v2");
    secrets.put(
        "cert", new SeenSecret("shop", "cache", "cert", SecretState.FORBIDDEN, "forbidden"));
    // When
    turn();
    // Then
    assertThat(looks.haveChanged(app("cache"))).isFalse();
  }

  @Test
  void shouldKeepWhatIsKnownWhileTemporalIsAway() {
    // Given
    deployed("v1");
    found("v2");
    turn();
    secrets.put("users", null);
    // When
    assertThatThrownBy(this::turn).isInstanceOf(TemporalUnavailableException.class);
    // Then
    assertThat(looks.haveChanged(app("cache"))).isTrue();
  }

  @Test
  void shouldReadOneSecretASecondHoweverManyAppsThereAre() {
    // Given
    IntStream.range(0, 17 * SecretLooks.READS)
        .forEach(
            it ->
                looks.observe(
                    app("cache-" + it),
                    List.of(component(Map.of("password", secretRef("users", "app", "v1"))))));
    found("v1");
    // When
    for (var minute = 0; minute < 17; minute++) {
      var before = read.size();
      turn();
      assertThat(read.size() - before).isEqualTo(SecretLooks.READS);
    }
    // Then
    assertThat(read).extracting(LookedUpApp::name).doesNotHaveDuplicates();
  }

  @Test
  void shouldNotCompareTheClocksOfTwoProcesses() {
    // Given a change that a worker with a slow clock ends after the look
    deployed("v1");
    found("v2");
    turn();
    var slow = ended(app("cache"), clock.instant().minus(MINUTE));
    // Then
    assertThat(looks.haveChanged(slow)).isFalse();
    // When the next look begins after the end by a fast clock
    var fast = ended(app("cache"), clock.instant().plus(MINUTE.multipliedBy(30)));
    observe(fast, "v1");
    found("v3");
    turn();
    // Then
    assertThat(looks.haveChanged(fast)).isTrue();
  }

  @Test
  void shouldNotMissASecretOfAStoppedComponent() {
    // Given
    var password = Map.<String, Object>of("password", secretRef("users", "app", "v1"));
    var stopped = component(password, RunState.STOPPED);
    looks.observe(app("cache"), List.of(stopped));
    secrets.put("users", seen(SecretState.MISSING, "Secret shop/users does not exist"));
    // When
    turn();
    // Then
    assertThat(reconciled).isEmpty();
    assertThat(looks.observe(app("cache"), List.of(stopped))).isEmpty();
    // When it starts
    assertThat(deployed("v1"))
        .extracting(SeenSecret::text)
        .containsExactly("Secret shop/users does not exist");
  }

  @Test
  void shouldAskTheOtherAppsBeforeThoseThatNobodyAnsweredFor() {
    // Given
    deployTwiceAsManyAsATurnReads();
    // When
    turn();
    turn();
    // Then
    assertThat(read).hasSize(2 * SecretLooks.READS);
    assertThat(read).extracting(LookedUpApp::name).doesNotHaveDuplicates();
  }

  @Test
  void shouldAskTheOtherAppsAfterALookThatHasFailed() {
    // Given
    deployTwiceAsManyAsATurnReads();
    secrets.put("users", null);
    // When
    assertThatThrownBy(this::turn).isInstanceOf(TemporalUnavailableException.class);
    assertThatThrownBy(this::turn).isInstanceOf(TemporalUnavailableException.class);
    // Then
    assertThat(read).hasSize(2 * SecretLooks.READS);
    assertThat(read).extracting(LookedUpApp::name).doesNotHaveDuplicates();
  }

  @Test
  void shouldForgetAnAppThatIsGone() {
    // Given
    deployed("v1");
    // When
    looks.forget(new ResourceID("cache", "shop"));
    turn();
    // Then
    assertThat(read).isEmpty();
  }

  private void turn() {
    clock.pass(MINUTE);
    looks.turn();
  }

  private List<SeenSecret> read(List<LookedUpApp> apps) {
    read.addAll(apps);
    if (secrets.containsValue(null)) {
      throw new TemporalUnavailableException("no connection", null);
    }
    return apps.stream().flatMap(app -> app.secrets().stream().flatMap(it -> of(app, it))).toList();
  }

  private Stream<SeenSecret> of(LookedUpApp app, LookedUpSecret secret) {
    return Stream.ofNullable(secrets.get(secret.name()))
        .map(it -> new SeenSecret(app.namespace(), app.name(), it.name(), it.state(), it.text()));
  }

  private void found(String version) {
    secrets.put("users", seen(SecretState.FOUND, version));
  }

  private static SeenSecret seen(SecretState state, String text) {
    return new SeenSecret("shop", "cache", "users", state, text);
  }

  private List<SeenSecret> deployed(String version) {
    return observe(app("cache"), version);
  }

  private List<SeenSecret> observe(App app, String version) {
    return looks.observe(
        app, List.of(component(Map.of("password", secretRef("users", "app", version)))));
  }

  /** More than one turn reads; each names the Secret {@code users}. */
  private void deployTwiceAsManyAsATurnReads() {
    IntStream.range(0, 2 * SecretLooks.READS).forEach(it -> observe(app("cache-" + it), "v1"));
  }

  private static App app(String name) {
    var app = new App();
    app.setMetadata(new ObjectMetaBuilder().withNamespace("shop").withName(name).build());
    app.setSpec(AppSpecBuilder.builder().serviceAccountName("deployer").build());
    return app;
  }

  private static App ended(App app, Instant at) {
    app.setStatus(
        AppStatusBuilder.builder()
            .change(ChangeStatusBuilder.builder().completedAt(at.toString()).build())
            .build());
    return app;
  }

  private static Map<String, Object> secretRef(String name, String key, String version) {
    return Map.of("secretRef", Map.of("name", name, "key", key), "version", version);
  }

  private static Component component(Map<String, Object> values) {
    return component(values, RunState.RUNNING);
  }

  private static Component component(Map<String, Object> values, RunState state) {
    var component = new Component();
    component.setSpec(
        ComponentSpecBuilder.builder().component("db").values(values).state(state).build());
    return component;
  }
}
