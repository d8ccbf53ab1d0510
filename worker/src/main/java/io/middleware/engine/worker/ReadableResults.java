package io.middleware.engine.worker;

import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.temporal.common.converter.DataConverterException;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;
import io.temporal.workflow.Promise;
import java.util.stream.Stream;

/**
 * Turns a result that a workflow cannot use into a failure of that step, which is final. Whoever
 * completes an activity by hand can give any result. The workflow task would otherwise fail, and be
 * repeated without end, and no cancel would be heard.
 */
final class ReadableResults extends WorkerInterceptorBase {

  @Override
  public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
    return new WorkflowInboundCallsInterceptorBase(next) {
      @Override
      public void init(WorkflowOutboundCallsInterceptor outbound) {
        super.init(new CheckedResults(outbound));
      }
    };
  }

  private static final class CheckedResults extends WorkflowOutboundCallsInterceptorBase {
    CheckedResults(WorkflowOutboundCallsInterceptor next) {
      super(next);
    }

    @Override
    public <R> ActivityOutput<R> executeActivity(ActivityInput<R> input) {
      var output = super.executeActivity(input);
      return new ActivityOutput<>(
          output.getActivityId(),
          checked(input.getActivityName(), input.getResultClass(), output.getResult()));
    }

    @Override
    public <R> LocalActivityOutput<R> executeLocalActivity(LocalActivityInput<R> input) {
      var output = super.executeLocalActivity(input);
      return new LocalActivityOutput<>(
          checked(input.getActivityName(), input.getResultClass(), output.getResult()));
    }

    private static <R> Promise<R> checked(String step, Class<R> type, Promise<R> result) {
      return result.handle(
          (value, failure) -> {
            if (failure != null) {
              throw isUnreadable(failure) ? unusable(step) : failure;
            }
            if (value == null && type != void.class && type != Void.class) {
              throw unusable(step);
            }
            return value;
          });
    }

    private static boolean isUnreadable(Throwable failure) {
      return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
          .anyMatch(DataConverterException.class::isInstance);
    }

    private static RuntimeException unusable(String step) {
      return Faults.of(
          FaultKind.INVALID,
          "step %s has a result that it cannot have, as when it is completed by hand: what it has done is unknown; look at the pods, and repeat the change by an edit or a retry"
              .formatted(step));
    }
  }
}
