package io.middleware.engine.agent.store;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.agent.store.StoreSettings.S3;
import java.security.cert.CertificateException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What a failure of an S3 service means, and what to do about it. */
record S3Failures(S3 settings) {
  private static final String ACCESS_DENIED = "AccessDenied";
  private static final String NO_BUCKET = "NoSuchBucket";
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int TOO_MANY_REQUESTS = 429;

  /** Another attempt may succeed: the service was slow, or busy with another request. */
  private static final Set<Integer> PASSING = Set.of(408, 409, TOO_MANY_REQUESTS);

  /** The same as a 400, such as of an upload that has stood still for 20 s. */
  private static final Set<String> PASSING_CODES =
      Set.of("RequestTimeout", "PriorRequestNotComplete", "SlowDown");

  private static final int SERVER_ERROR = 500;
  private static final int FULL = 507;

  StatusRuntimeException of(String verb, String key, Exception e) {
    var status = isFinal(e) ? Status.FAILED_PRECONDITION : Status.UNAVAILABLE;
    return status
        .withDescription("cannot %s %s: %s".formatted(verb, location(key), reason(e)))
        .withCause(e)
        .asRuntimeException();
  }

  String location(String key) {
    return "s3://%s/%s%s".formatted(settings.bucket(), settings.prefix(), key);
  }

  /** Whether the service knows the account, and does not allow it this request. */
  static boolean isAccessDenied(Exception e) {
    return e instanceof S3Exception s3
        && s3.awsErrorDetails() != null
        && ACCESS_DENIED.equals(s3.awsErrorDetails().errorCode());
  }

  /** Whether there is no such object or upload; a bucket that is not there is another fault. */
  static boolean isGone(Exception e) {
    return e instanceof S3Exception s3
        && s3.statusCode() == NOT_FOUND
        && !(s3 instanceof NoSuchBucketException)
        && (s3.awsErrorDetails() == null || !NO_BUCKET.equals(s3.awsErrorDetails().errorCode()));
  }

  private static boolean isFinal(Exception e) {
    return e instanceof S3Exception s3
        && (s3.statusCode() < SERVER_ERROR || s3.statusCode() == FULL)
        && !PASSING.contains(s3.statusCode())
        && !PASSING_CODES.contains(code(s3));
  }

  /** Empty in an answer without a body, such as that to a HEAD. */
  private static String code(S3Exception e) {
    return e.awsErrorDetails() == null
        ? ""
        : Objects.requireNonNullElse(e.awsErrorDetails().errorCode(), "");
  }

  private String reason(Exception e) {
    return switch (e) {
      case NoSuchBucketException missing ->
          "there is no bucket '%s' at %s: create it, or correct 'bucket'"
              .formatted(settings.bucket(), settings.endpoint());
      case NoSuchKeyException missing ->
          "there is no such object: it was deleted, or never written";
      case S3Exception s3 when !code(s3).isEmpty() && s3.isClockSkewException() ->
          "the clock of this node and that of %s differ: synchronize them: %s"
              .formatted(settings.endpoint(), answer(s3));
      case S3Exception s3 when s3.statusCode() == FORBIDDEN ->
          "%s refuses the %s: check 'access-key', 'secret-key' and the rights on the bucket: %s"
              .formatted(settings.endpoint(), settings.credentials(), answer(s3));
      case S3Exception s3 when s3.statusCode() == FULL ->
          "%s has no space left: free space there: %s".formatted(settings.endpoint(), answer(s3));
      case S3Exception s3 -> "%s answers %s".formatted(settings.endpoint(), answer(s3));
      default -> connection(e);
    };
  }

  private String connection(Exception e) {
    var causes = Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause).toList();
    var tls = causes.stream().filter(SSLException.class::isInstance).findFirst();
    return tls.isPresent() && causes.stream().anyMatch(CertificateException.class::isInstance)
        ? "%s has a certificate that is not trusted: check 'ca.crt': %s"
            .formatted(settings.endpoint(), tls.get().getMessage())
        : "no answer from %s: %s: check 'endpoint' and that the service runs"
            .formatted(settings.endpoint(), causes.getLast());
  }

  private static String answer(S3Exception e) {
    var details = e.awsErrorDetails();
    return details == null || details.errorCode() == null
        ? "HTTP " + e.statusCode()
        : "%s (%s)".formatted(details.errorCode(), details.errorMessage());
  }
}
