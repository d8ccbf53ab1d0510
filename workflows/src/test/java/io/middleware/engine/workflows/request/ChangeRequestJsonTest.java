package io.middleware.engine.workflows.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.temporal.common.converter.JacksonJsonPayloadConverter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeRequestJsonTest {
  private static final ObjectMapper JSON = JacksonJsonPayloadConverter.newDefaultObjectMapper();

  @Test
  void shouldReadWhatPeopleWriteByHand() throws IOException {
    // When
    var request =
        JSON.readValue(
            """
            {"namespace": "shop", "app": "cache", "uid": "u", "createdAt": 100, "generation": 6,
             "retry": {"retryTaskIds": ["6-config-db"]}}""",
            ChangeRequest.class);
    // Then
    assertThat(request)
        .isEqualTo(
            new ChangeRequest(new ChangeTarget("shop", "cache", "u", 100), 6, false)
                .again(new RetryRequest(List.of("6-config-db"), false)));
  }

  @Test
  void shouldReadMissingFieldsAsAbsent() throws IOException {
    // When
    var request =
        JSON.readValue(
            "{\"namespace\": \"shop\", \"app\": \"cache\", \"uid\": \"u\", \"generation\": 6}",
            ChangeRequest.class);
    // Then
    assertThat(request.retry()).isEqualTo(Optional.empty());
    assertThat(request.plugin()).isEqualTo(Optional.empty());
    assertThat(request.deleted()).isFalse();
  }

  @Test
  void shouldNotReadARequestThatNamesNoApp() {
    assertThatThrownBy(() -> JSON.readValue("{\"generation\": 99}", ChangeRequest.class))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("namespace");
  }
}
