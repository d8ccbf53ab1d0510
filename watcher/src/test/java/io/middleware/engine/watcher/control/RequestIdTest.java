package io.middleware.engine.watcher.control;

import static io.middleware.engine.watcher.Objects.app;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestIdTest {
  private static final String NOON = "2026-11-21T12:00:00Z";
  private static final String LATER = "2026-11-21T12:00:05Z";

  @Test
  void shouldBeTheSameWhoeverReadsIt() {
    // Given an App that changes otherwise
    var edited = set(NOON, Labels.CANCEL_CONTROL, LATER, "example.com/note");
    edited.getMetadata().setResourceVersion("99");

    // When
    var again = id(edited, "{}");

    // Then
    assertThat(again).isEqualTo(id(set(NOON, Labels.CANCEL_CONTROL, NOON, "x"), "{}"));
    assertThat(again).matches("[0-9a-f]{32}");
  }

  @Test
  void shouldTellASecondRequestOfTheSameWordsFromTheFirst() {
    assertThat(id(set(LATER, Labels.CANCEL_CONTROL, NOON, "x"), "{}"))
        .isNotEqualTo(id(set(NOON, Labels.CANCEL_CONTROL, NOON, "x"), "{}"));
  }

  @Test
  void shouldDifferByValueAndAnnotationAndApp() {
    // Given
    var one = app(7);
    var other = app(7);
    other.getMetadata().setUid("uid-of-a-later-cache");

    // When
    var ids =
        List.of(
            RequestId.of(one, Labels.CANCEL_CONTROL, "{}"),
            RequestId.of(one, Labels.CANCEL_CONTROL, "{ }"),
            RequestId.of(one, Labels.RETRY_CONTROL, "{}"),
            RequestId.of(other, Labels.CANCEL_CONTROL, "{}"));

    // Then
    assertThat(ids).doesNotHaveDuplicates();
  }

  private static String id(App app, String value) {
    return RequestId.of(app, Labels.CANCEL_CONTROL, value);
  }

  private static App set(String time, String annotation, String otherTime, String other) {
    var app = app(7);
    app.getMetadata().setManagedFields(List.of(entry(time, annotation), entry(otherTime, other)));
    return app;
  }

  private static ManagedFieldsEntry entry(String time, String annotation) {
    var fields = new FieldsV1();
    fields.setAdditionalProperty(
        "f:metadata", Map.of("f:annotations", Map.of("f:" + annotation, Map.of())));
    return new ManagedFieldsEntryBuilder()
        .withManager("kubectl-annotate")
        .withTime(time)
        .withFieldsV1(fields)
        .build();
  }
}
