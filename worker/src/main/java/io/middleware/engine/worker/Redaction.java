package io.middleware.engine.worker;

import io.middleware.engine.render.sensitive.SensitiveValues;
import io.middleware.engine.workflows.port.ChangeStep;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import io.temporal.common.interceptors.ActivityExecutionContextBase;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps the values of sensitive parameters out of Temporal, and so out of all that comes from
 * there: the message of a failed step may quote what the API server or an agent has refused, and a
 * heartbeat what an agent reports.
 */
final class Redaction extends WorkerInterceptorBase {
  private final SensitiveValues secrets;

  Redaction(SensitiveValues secrets) {
    this.secrets = secrets;
  }

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return new RedactingInterceptor(next, secrets);
  }

  private static final class RedactingInterceptor extends ActivityInboundCallsInterceptorBase {
    private final SensitiveValues secrets;
    private RedactingContext context;

    RedactingInterceptor(ActivityInboundCallsInterceptor next, SensitiveValues secrets) {
      super(next);
      this.secrets = secrets;
    }

    @Override
    public void init(ActivityExecutionContext original) {
      context = new RedactingContext(original, secrets);
      super.init(context);
    }

    @Override
    public ActivityOutput execute(ActivityInput input) {
      var app = app(input);
      context.app = app;
      try {
        return super.execute(input);
      } catch (RuntimeException e) {
        throw app.map(uid -> redacted(e, secrets, uid)).orElse(e);
      }
    }

    private static Optional<String> app(ActivityInput input) {
      return Stream.of(input.getArguments())
          .filter(ChangeStep.class::isInstance)
          .map(step -> ((ChangeStep) step).change().uid())
          .findFirst();
    }
  }

  private static final class RedactingContext extends ActivityExecutionContextBase {
    private final SensitiveValues secrets;
    private volatile Optional<String> app = Optional.empty();

    RedactingContext(ActivityExecutionContext context, SensitiveValues secrets) {
      super(context);
      this.secrets = secrets;
    }

    @Override
    public <V> void heartbeat(V details) throws ActivityCompletionException {
      if (details instanceof String message && app.isPresent()) {
        super.heartbeat(secrets.hide(app.get(), message));
      } else {
        super.heartbeat(details);
      }
    }
  }

  /**
   * The failure itself if no message in it shows a secret. Otherwise a copy of it without its
   * causes, whose messages and traces may show the secret as well.
   */
  static RuntimeException redacted(RuntimeException failure, SensitiveValues secrets, String app) {
    return Stream.<Throwable>iterate(failure, cause -> cause != null, Throwable::getCause)
            .map(Throwable::getMessage)
            .allMatch(message -> message == null || message.equals(secrets.hide(app, message)))
        ? failure
        : copy(failure, secrets, app);
  }

  private static RuntimeException copy(
      RuntimeException failure, SensitiveValues secrets, String app) {
    var copy = ApplicationFailure.newBuilder();
    if (failure instanceof ApplicationFailure known) {
      copy.setMessage(secrets.hide(app, known.getOriginalMessage()))
          .setType(known.getType())
          .setNonRetryable(known.isNonRetryable())
          .setNextRetryDelay(known.getNextRetryDelay())
          .setCategory(known.getCategory())
          .setDetails(known.getDetails());
    } else {
      copy.setMessage(secrets.hide(app, failure.getMessage()))
          .setType(failure.getClass().getName());
    }
    var redacted = copy.build();
    redacted.setStackTrace(failure.getStackTrace());
    return redacted;
  }
}
