package io.middleware.engine.cluster;

import io.temporal.activity.Activity;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.ActivityCompletionFailureException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Of the activity that the calling thread executes. */
final class ActivityHeartbeat implements Heartbeat {
  private static final Logger LOG = LoggerFactory.getLogger(ActivityHeartbeat.class);

  @Override
  public void send(String message) {
    Activity.getExecutionContext().heartbeat(message);
  }

  @Override
  public void ask() {
    var context = Activity.getExecutionContext();
    if (context.getInfo().isLocal()) {
      return;
    }
    try {
      context
          .getWorkflowClient()
          .newActivityCompletionClient()
          .heartbeat(context.getTaskToken(), "asks whether to go on");
    } catch (ActivityCompletionFailureException e) {
      answer(e)
          .ifPresent(
              answer -> {
                throw answer;
              });
      LOG.debug("not answered; the next heartbeat asks again", e);
    }
  }

  /** The client wraps an answer that ends the step as if there were none. */
  static Optional<ActivityCompletionException> answer(ActivityCompletionFailureException failure) {
    return Optional.ofNullable(failure.getCause())
        .filter(ActivityCompletionException.class::isInstance)
        .map(ActivityCompletionException.class::cast);
  }
}
