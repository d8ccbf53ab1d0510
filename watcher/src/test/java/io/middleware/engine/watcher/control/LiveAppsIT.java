package io.middleware.engine.watcher.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.watcher.apiserver.ClusterCase;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveAppsIT extends ClusterCase<App> {
  private static final String CANCEL = Labels.CANCEL_CONTROL;
  private static final ControlOutcome REFUSED =
      new ControlOutcome("0a1b", true, "ControlRefused", "there is no such task");

  private final LiveApps apps;

  LiveAppsIT(LocalCluster cluster) {
    super(cluster);
    var client = cluster.client();
    var events = new ControlEvents("watcher-1", InstantSource.system());
    this.apps = new LiveApps(client, "watcher", new EventPublisher(client, events));
  }

  /** With a request to cancel, and one to retry. */
  @Override
  public App create(String name) {
    return cluster.createApp(
        text ->
            text.replace(
                "{name: cache}",
                "{name: %s, annotations: {%s: first, %s: other}}"
                    .formatted(name, CANCEL, Labels.RETRY_CONTROL)));
  }

  @Test
  void shouldReadTheAppAsItIsNow() {
    // Given
    var seen = create("cache");
    var newest = touch(seen);
    // When Then
    assertThat(apps.read(seen).orElseThrow().getMetadata().getResourceVersion())
        .isEqualTo(newest.getMetadata().getResourceVersion());
    // and then
    remove(seen);
    assertThat(apps.read(seen)).isEmpty();
  }

  @Test
  void shouldRemoveARequestAndCanDoSoTwice() {
    // Given
    var seen = create("cache");
    touch(seen);
    // When
    apps.remove(seen, CANCEL);
    apps.remove(seen, CANCEL);
    // Then
    assertThat(annotations(seen)).doesNotContainKey(CANCEL).containsKey(Labels.RETRY_CONTROL);
  }

  @Test
  void shouldKeepANewerRequest() {
    // Given
    var seen = create("cache");
    annotate(seen, "second");
    // When
    apps.remove(seen, CANCEL);
    // Then
    assertThat(annotations(seen)).containsEntry(CANCEL, "second");
  }

  @Test
  void shouldKeepTheRequestOnALaterAppOfTheName() {
    // Given
    var seen = create("cache");
    var later = replace(seen);
    // When
    apps.remove(seen, CANCEL);
    // Then
    assertThat(annotations(later)).containsEntry(CANCEL, "first");
  }

  @Test
  void shouldRemoveTheRequestFromAnAppThatIsBeingDeleted() {
    // Given
    var seen = createDeleted("cache");
    // When
    apps.remove(seen, CANCEL);
    // Then
    assertThat(annotations(seen)).doesNotContainKey(CANCEL);
  }

  @Test
  void shouldHaveNothingToRemoveWhenTheAppIsGone() {
    // Given
    var seen = create("cache");
    remove(seen);
    // When Then
    assertThatCode(() -> apps.remove(seen, CANCEL)).doesNotThrowAnyException();
  }

  /** It would be carried out again and again. */
  @Test
  void shouldNotSwallowARefusal() {
    // Given
    var seen = create("cache");
    cluster.refuse("UPDATE", "middleware.io", "apps", () -> annotate(seen, version(seen)));
    var newest = cluster.now(seen);
    // When Then
    assertThatThrownBy(() -> apps.remove(newest, CANCEL))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("refused by a test");
  }

  @Test
  void shouldPublishAnOutcomeOnce() {
    // Given
    var app = create("cache");
    // When
    apps.publish(app, REFUSED);
    apps.publish(app, REFUSED);
    // Then
    assertThat(cluster.all(Event.class))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getNote()).isEqualTo("there is no such task");
              assertThat(event.getType()).isEqualTo("Warning");
              assertThat(event.getRegarding().getUid()).isEqualTo(app.getMetadata().getUid());
            });
  }

  @Test
  void shouldGoOnWhenAnEventCannotBeWritten() {
    // Given
    var app = create("cache");
    app.getMetadata().setNamespace("there-is-none");
    // When Then
    assertThatCode(() -> apps.publish(app, REFUSED)).doesNotThrowAnyException();
  }

  private App annotate(App app, String value) {
    return edit(
        app,
        it -> {
          var annotations = new HashMap<>(it.getMetadata().getAnnotations());
          annotations.put(CANCEL, value);
          it.getMetadata().setAnnotations(annotations);
        });
  }

  private String version(App app) {
    return cluster.now(app).getMetadata().getResourceVersion();
  }

  private Map<String, String> annotations(App app) {
    return cluster.now(app).getMetadata().getAnnotations();
  }
}
