package io.middleware.engine.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LenientObjectsTest {
  private static final String GOOD = "{\"state\":\"Running\",\"paused\":true}";

  private final LenientObjects objects = new LenientObjects();
  private final KubernetesSerialization serialization = objects.serialization();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"paused\":\"maybe\"}                               | spec.paused: Cannot deserialize",
        "{\"components\":{\"a\":1}}                           | spec.components: Cannot deserialize",
        "{\"components\":[{\"groups\":[{\"replicas\":[3]}]}]} | spec.components[0].groups[0].replicas",
        "{\"change\":{\"maxRetries\":99999999999999999999}}   | spec.change.maxRetries: Cannot deserialize",
        "{\"plugin\":\"redis-1.0.0\"}                         | spec.plugin: Cannot construct",
        "{\"change\":{\"onCancel\":\"Explode\"}}               | spec.change.onCancel: Cannot deserialize",
        "\"all of it\"                                        | spec: Cannot construct",
        "[1, 2]                                               | spec: Cannot deserialize"
      })
  void shouldReadAnUnreadableSpecAsNoneAndSayWhy(String spec, String reason) {
    // When
    var app = serialization.unmarshal(app("bad", spec), App.class);

    // Then
    assertThat(app.getMetadata().getName()).isEqualTo("bad");
    assertThat(app.getSpec()).isNull();
    assertThat(app.getStatus().phase()).isEqualTo("Running");
    assertThat(objects.whyUnreadable(app)).get().asString().startsWith(reason);
  }

  @Test
  void shouldReadTheOthersOfAList() {
    // Given
    var list = "{\"items\":[" + app("a", GOOD) + "," + app("b", "7") + "," + app("c", GOOD) + "]}";

    // When
    var read =
        serialization.unmarshal(
            new ByteArrayInputStream(list.getBytes(StandardCharsets.UTF_8)),
            new TypeReference<DefaultKubernetesResourceList<App>>() {});

    // Then
    assertThat(read.getItems()).extracting(App::getSpec).filteredOn(s -> s == null).hasSize(1);
    assertThat(read.getItems().get(2).getSpec().paused()).isTrue();
    assertThat(objects.whyUnreadable(read.getItems().get(0))).isEmpty();
  }

  @Test
  void shouldReadAWatchEvent() {
    // Given
    serialization.registerKubernetesResource(App.class);
    var event = "{\"type\":\"MODIFIED\",\"object\":" + app("bad", "{\"paused\":{}}") + "}";

    // When
    var app = (App) serialization.unmarshal(event, WatchEvent.class).getObject();

    // Then
    assertThat(app.getSpec()).isNull();
    assertThat(objects.whyUnreadable(app)).get().asString().startsWith("spec.paused");
  }

  @Test
  void shouldReadAGenericObjectAsAnApp() {
    // Given
    var generic =
        serialization.unmarshal(app("bad", "{\"paused\":[]}"), GenericKubernetesResource.class);

    // When
    var app = serialization.convertValue(generic, App.class);

    // Then
    assertThat(app.getSpec()).isNull();
    assertThat(objects.whyUnreadable(app)).isPresent();
  }

  @Test
  void shouldReadAnUnreadableStatusAsNone() {
    // Given
    var json =
        "{\"kind\":\"App\",\"metadata\":{\"uid\":\"1\"},\"status\":{\"conditions\":{}},\"spec\":"
            + GOOD
            + "}";

    // When
    var app = serialization.unmarshal(json, App.class);

    // Then
    assertThat(app.getStatus()).isNull();
    assertThat(app.getSpec().paused()).isTrue();
    assertThat(objects.whyUnreadable(app)).get().asString().startsWith("status.conditions: ");
  }

  @Test
  void shouldReadHugeValues() {
    // When
    var app =
        serialization.unmarshal(
            app("huge", "{\"serviceAccountName\":\"" + "x".repeat(1_500_000) + "\"}"), App.class);

    // Then
    assertThat(app.getSpec().serviceAccountName()).hasSize(1_500_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 9_000})
  void shouldReadAnAbyssAsNone(int depth) {
    // Given
    serialization.registerKubernetesResource(App.class);
    var affinity = "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
    var spec = "{\"components\":[{\"groups\":[{\"affinity\":" + affinity + "}]}]}";
    var event = "{\"type\":\"ADDED\",\"object\":" + app("deep", spec) + "}";

    // When
    var app = (App) serialization.unmarshal(event, WatchEvent.class).getObject();

    // Then
    assertThat(app.getSpec()).isNull();
    assertThat(objects.whyUnreadable(app)).get().asString().contains("levels deep");
    assertThat(serialization.clone(app).getMetadata().getName()).isEqualTo("deep");
  }

  @Test
  void shouldIgnoreUnknownFieldsAndUnknownWordsOfTheStatus() {
    // When
    var json = app("new", "{\"state\":\"Stopped\",\"mood\":1}").replace("Running", "Dreaming");
    var app = serialization.unmarshal(json, App.class);

    // Then
    assertThat(app.getSpec().isStopped()).isTrue();
    assertThat(app.getStatus().phase()).isEqualTo("Dreaming");
  }

  @Test
  void shouldReadASpecOnItsOwnStrictly() {
    assertThatThrownBy(() -> serialization.convertValue(Map.of("paused", "maybe"), AppSpec.class))
        .hasMessageContaining("paused");
  }

  @Test
  void shouldReadOtherKindsAsBefore() {
    // When
    var map =
        serialization.unmarshal("{\"kind\":\"ConfigMap\",\"data\":{\"a\":\"b\"}}", ConfigMap.class);

    // Then
    assertThat(map.getData()).containsEntry("a", "b");
  }

  private static String app(String name, String spec) {
    return """
        {"apiVersion":"middleware.io/v1","kind":"App",
        "metadata":{"name":"%s","uid":"uid-%s"},"spec":%s,"status":{"phase":"Running"}}"""
        .formatted(name, name, spec);
  }
}
