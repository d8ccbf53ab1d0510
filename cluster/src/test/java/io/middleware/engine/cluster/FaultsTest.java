package io.middleware.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.task.FaultKind;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultsTest {

  @ParameterizedTest
  @CsvSource({
    "400, BadRequest, INVALID",
    "401, Unauthorized, FORBIDDEN",
    "403, Forbidden, FORBIDDEN",
    "404, NotFound, CONFLICT",
    "409, Conflict, CONFLICT",
    "413, RequestEntityTooLarge, INVALID",
    "422, Invalid, INVALID",
    "429, TooManyRequests, UNAVAILABLE",
    "500, , UNAVAILABLE",
    "500, InternalError, UNAVAILABLE",
    "503, ServiceUnavailable, UNAVAILABLE",
    "-1, , INVALID"
  })
  void shouldClassifyByCode(int code, String reason, FaultKind kind) {
    var status = new StatusBuilder().withCode(code).withReason(reason).withMessage("m").build();
    assertThat(Faults.kindOf(new KubernetesClientException("m", code, status))).isEqualTo(kind);
  }

  @Test
  void shouldTreatABrokenConnectionAsUnavailable() {
    var e = new KubernetesClientException("Operation failed", new IOException("refused"));
    assertThat(Faults.of("read App a", e).getOriginalMessage())
        .isEqualTo("read App a: the API server does not answer: java.io.IOException: refused");
    assertThat(Faults.kindOf(e)).isEqualTo(FaultKind.UNAVAILABLE);
  }

  /**
   * Otherwise the refusals of one App would be doubted as long as steps of others are cancelled.
   */
  @Test
  void shouldNotTakeAnInterruptedCallForARestart() {
    var interrupted = new IOException("call cancelled", new InterruptedException());
    assertThat(Faults.mayHaveRestarted(new KubernetesClientException("m", interrupted))).isFalse();
    var refused = new IOException("connection refused");
    assertThat(Faults.mayHaveRestarted(new KubernetesClientException("m", refused))).isTrue();
  }

  @Test
  void shouldTreatAConnectionThatTheServerClosedAsUnavailable() {
    // such as Vert.x' HttpClosedException, which is no IOException
    var e =
        new KubernetesClientException(
            "Connection was closed", new IllegalStateException("Connection was closed"));
    assertThat(Faults.kindOf(e)).isEqualTo(FaultKind.UNAVAILABLE);
    assertThat(Faults.of("read App a", e).isNonRetryable()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "401, Unauthorized, Unavailable",
    "403, 'pods is forbidden: User \"engine\" cannot list resource \"pods\"', Unavailable",
    "403, 'pods \"db-0\" is forbidden: exceeded quota: small', Forbidden",
  })
  void shouldNotBelieveTheFirstRefusalOfAnAccount(int code, String message, String type) {
    var status = new StatusBuilder().withCode(code).withMessage(message).build();
    var failure = Faults.of("list pods", new KubernetesClientException(message, code, status));
    assertThat(failure.getType()).isEqualTo(type);
    assertThat(failure.isNonRetryable()).isEqualTo("Forbidden".equals(type));
    assertThat(failure.getOriginalMessage()).startsWith("list pods: " + message);
  }

  @Test
  void shouldNameManagerAndFieldAndNotRetryTheStep() {
    var failure =
        Faults.of("apply StatefulSet shop/db", new KubernetesClientException("m", 409, conflict()));
    assertThat(failure.getType()).isEqualTo("Conflict");
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(failure.getOriginalMessage())
        .isEqualTo(
            "apply StatefulSet shop/db: .spec.replicas: conflict with \"hpa\"; annotation"
                + " middleware.io/force-conflicts: \"true\" on the App takes these fields over, and an Operation Reapply those of a pod template");
  }

  private static Status conflict() {
    return new StatusBuilder()
        .withCode(409)
        .withReason("Conflict")
        .withNewDetails()
        .addNewCause(".spec.replicas", "conflict with \"hpa\"", "FieldManagerConflict")
        .endDetails()
        .build();
  }
}
