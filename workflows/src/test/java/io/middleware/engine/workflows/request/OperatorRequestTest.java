package io.middleware.engine.workflows.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.temporal.common.converter.JacksonJsonPayloadConverter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorRequestTest {
  private static final ObjectMapper JSON = JacksonJsonPayloadConverter.newDefaultObjectMapper();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "junk"                  | cannot read "junk"
          []                      | cannot read []
          true                    | cannot read true
          {"generation": "6"}     | generation cannot be "6"
          {"generation": 6.5}     | generation cannot be 6.5
          {"generatoin": 6}       | there is no field "generatoin"
          {"cancelTaskIds": []}   | there is no field "cancelTaskIds"
          {"generation": 6, "a":1}| there is no field "a"
          """)
  void shouldNotMistakeJunkForTheRunningChange(String json, String problem) throws Exception {
    // When
    var scope = JSON.readValue(json, ChangeScope.class);
    // Then
    assertThat(scope.problem())
        .hasValue(
            problem + "; expected nothing, {\"generation\": 6} or {\"operation\": \"restart-1\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"generation\": null}"})
  void shouldMeanTheRunningChangeWithoutAGeneration(String json) throws Exception {
    // When
    var scope = JSON.readValue(json, ChangeScope.class);
    // Then
    assertThat(scope).isEqualTo(new ChangeScope(Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          7                                                   | cannot read 7
          {"retryTaskIds": "a"}                               | retryTaskIds cannot be "a"
          {"retryTaskIds": ["a"], "resetDependencies": "yes"} | resetDependencies cannot be "yes"
          {"retryTaskIds": ["a"], "resetDependencies": 1}     | resetDependencies cannot be 1
          {"retryTaskIds": ["a"], "reset": true}              | there is no field "reset"
          """)
  void shouldNotRetryWhatIsNotReadable(String json, String problem) throws Exception {
    // When
    var request = JSON.readValue(json, RetryRequest.class);
    // Then
    assertThat(request.problem()).hasValue(problem + "; expected " + RetryRequest.EXPECTED);
    assertThat(request.retryTaskIds()).isEmpty();
  }

  @Test
  void shouldNotCancelTasksWithAnUnknownField() throws Exception {
    // When
    var request =
        JSON.readValue("{\"cancelTaskIds\": [\"a\"], \"force\": true}", CancelRequest.class);
    // Then
    assertThat(request.problem())
        .hasValue("there is no field \"force\"; expected " + CancelRequest.EXPECTED);
  }

  @Test
  void shouldNotApproveWhatIsNoHash() throws Exception {
    // When
    var request = JSON.readValue("{\"hash\": \"c0ffee00\"}", ApproveRequest.class);
    // Then
    assertThat(request.problem()).hasValue("cannot read {hash=c0ffee00}; expected \"<hash>\"");
  }

  @Test
  void shouldReadWhatItWrites() throws Exception {
    // Given
    var scope = ChangeScope.of(6);
    var approval = new ApproveRequest("c0ffee00");
    var cancel = new CancelRequest(List.of("a"));
    var retry = new RetryRequest(List.of("a"), true);
    // When, Then
    assertThat(again(scope)).isEqualTo(scope);
    assertThat(again(new ChangeScope(Optional.empty())).problem()).isEmpty();
    assertThat(again(approval)).isEqualTo(approval);
    assertThat(again(cancel)).isEqualTo(cancel);
    assertThat(again(retry)).isEqualTo(retry);
  }

  @SuppressWarnings("unchecked")
  private static <T> T again(T request) throws Exception {
    return (T) JSON.readValue(JSON.writeValueAsString(request), request.getClass());
  }
}
