package io.middleware.engine.workflows.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.workflows.port.TaskProgress.Fault;
import io.temporal.failure.ApplicationFailure;
import org.junit.jupiter.api.Test;

class FailureCausesTest {

  @Test
  void shouldKeepADocumentedReason() {
    assertThat(FailureCauses.explain(ApplicationFailure.newFailure("gone", "Superseded")))
        .isEqualTo(new Fault("Superseded", "gone"));
  }

  /** A reason with a dot is not valid, and the API server would refuse the whole status. */
  @Test
  void shouldGiveAnUnexpectedExceptionADocumentedReason() {
    assertThat(
            FailureCauses.explain(
                ApplicationFailure.newFailure("empty", "java.lang.IllegalArgumentException")))
        .isEqualTo(
            new Fault(
                "Internal", "java.lang.IllegalArgumentException: empty; see the worker's log"));
  }
}
