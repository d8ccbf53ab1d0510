package io.middleware.engine.activities.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.task.FaultKind;
import io.temporal.failure.ApplicationFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RehearsalTest {

  @ParameterizedTest
  @CsvSource({
    "403, Forbidden, WriteForbidden",
    "401, Unauthorized, WriteForbidden",
    "400, BadRequest, ObjectRefused",
    "404, NotFound, ObjectRefused",
    "422, Invalid, ObjectRefused",
    "500, , ObjectRefused",
  })
  void shouldRefuseInTheServersWords(int code, String reason, String expected) {
    // When
    var refusal = Rehearsal.refusal("Service shop/cache", answer(code, reason));
    // Then
    assertThat(refusal)
        .hasValueSatisfying(
            it -> {
              assertThat(it.reason()).isEqualTo(expected);
              assertThat(it.message()).startsWith("Service shop/cache: the server's words");
            });
  }

  @Test
  void shouldLeaveFieldsOfOtherManagersToTheTask() {
    assertThat(Rehearsal.refusal("Service shop/cache", answer(409, "Conflict"))).isEmpty();
  }

  @Test
  void shouldTryAgainWhenTheServerDoesNotAnswer() {
    assertThatThrownBy(() -> Rehearsal.refusal("Service shop/cache", answer(503, "Unavailable")))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FaultKind.UNAVAILABLE.label());
              assertThat(failure.isNonRetryable()).isFalse();
            });
  }

  private static KubernetesClientException answer(int code, String reason) {
    var status =
        new StatusBuilder()
            .withCode(code)
            .withReason(reason)
            .withMessage("the server's words")
            .build();
    return new KubernetesClientException("wrapped", code, status);
  }
}
