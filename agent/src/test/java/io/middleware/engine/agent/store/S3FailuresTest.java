package io.middleware.engine.agent.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.middleware.engine.agent.store.StoreSettings.S3;
import io.middleware.engine.agent.store.StoreSettings.S3Credentials;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.s3.model.S3Exception;

class S3FailuresTest {
  private final S3Failures failures =
      new S3Failures(
          new S3(
              URI.create("https://s3.example.com"),
              "backups",
              "",
              "eu-central-1",
              false,
              new S3Credentials("key", "secret"),
              Optional.empty()));

  @ParameterizedTest
  @CsvSource({
    "400, RequestTimeout, UNAVAILABLE",
    "400, InvalidArgument, FAILED_PRECONDITION",
    "403, AccessDenied, FAILED_PRECONDITION",
    "408, RequestTimeout, UNAVAILABLE",
    "409, OperationAborted, UNAVAILABLE",
    "429, TooManyRequests, UNAVAILABLE",
    "503, SlowDown, UNAVAILABLE",
    "507, InsufficientStorage, FAILED_PRECONDITION"
  })
  void shouldTellWhatMayPassFromWhatDoesNot(int status, String code, Status.Code expected) {
    assertThat(failures.of("write", "a", answer(status, code)).getStatus().getCode())
        .isEqualTo(expected);
  }

  @Test
  void shouldNotBlameTheKeysForAClock() {
    assertThat(failures.of("write", "a", answer(403, "RequestTimeTooSkewed")))
        .hasMessageContaining("the clock of this node and that of https://s3.example.com differ")
        .hasMessageNotContaining("access-key");
  }

  /** Such as that to a HEAD. */
  @Test
  void shouldUnderstandAnAnswerWithoutABody() {
    var forbidden = (S3Exception) S3Exception.builder().statusCode(403).build();
    assertThat(failures.of("look at", "a", forbidden)).hasMessageContaining("access-key");
    assertThat(failures.of("look at", "a", answer(403, null))).hasMessageContaining("access-key");
  }

  private static S3Exception answer(int status, String code) {
    var details = AwsErrorDetails.builder().errorCode(code).errorMessage("said so").build();
    var failure = S3Exception.builder().awsErrorDetails(details).statusCode(status).build();
    return (S3Exception) failure;
  }
}
