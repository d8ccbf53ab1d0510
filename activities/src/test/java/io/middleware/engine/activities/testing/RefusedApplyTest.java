package io.middleware.engine.activities.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.cluster.Faults;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusedApplyTest {
  private static final Manifest MANIFEST =
      new Manifest("spec.steps[0].apply[0]", Map.of("kind", "ConfigMap"));

  private final AtomicLong now = new AtomicLong();
  private final RefusedApply refusals = new RefusedApply(now::get);

  @ParameterizedTest
  @CsvSource({
    "400, BadRequest, ApplyRefused",
    "422, Invalid,    ApplyRefused",
    "403, Forbidden,  ApplyRefused", // a quota, or a policy
    "409, Conflict,   Conflict",
    "429, TooManyRequests, Unavailable",
    "500, InternalError, Unavailable",
    "503, ServiceUnavailable, Unavailable",
  })
  void shouldDecideByTheCode(int code, String reason, String type) {
    assertThat(type(code, reason)).isEqualTo(type);
  }

  @Test
  void shouldBelieveAnErrorWithoutAReasonWhenItLasts() {
    assertThat(type(500, null)).isEqualTo("Unavailable");
    now.addAndGet(RefusedApply.PATIENCE.toNanos() - 1);
    assertThat(type(500, null)).isEqualTo("Unavailable");
    now.addAndGet(1);
    assertThat(type(500, null)).isEqualTo("ApplyRefused");
  }

  @Test
  void shouldBeginAnewAfterASuccess() {
    type(500, null);
    now.addAndGet(RefusedApply.PATIENCE.toNanos());
    refusals.forget(MANIFEST);
    assertThat(type(500, null)).isEqualTo("Unavailable");
  }

  private String type(int code, String reason) {
    var status =
        new StatusBuilder().withCode(code).withReason(reason).withMessage("no such field").build();
    var e = new KubernetesClientException(status);
    return refusals.failure(MANIFEST, e, Faults.of("apply ConfigMap a", e)).getType();
  }
}
