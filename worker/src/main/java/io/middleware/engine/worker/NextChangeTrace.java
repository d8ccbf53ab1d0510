package io.middleware.engine.worker;

import io.temporal.common.interceptors.Header;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;

/**
 * Gives each change a trace of its own. A run that carries out the next edit belongs to the trace
 * of the signal that has brought the edit, and not to that of the run before. Stands after the
 * interceptors of the tracing library, which would pass on the trace of the run before.
 */
final class NextChangeTrace extends WorkerInterceptorBase {
  /** Under which the library keeps a trace in a header. */
  private static final String TRACE = "_tracer-data";

  private static final String EDIT = "changed";

  @Override
  public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
    return new Run(next);
  }

  private static final class Run extends WorkflowInboundCallsInterceptorBase {
    private Header newest = Header.empty();

    Run(WorkflowInboundCallsInterceptor next) {
      super(next);
    }

    @Override
    public void init(WorkflowOutboundCallsInterceptor outbound) {
      super.init(
          new WorkflowOutboundCallsInterceptorBase(outbound) {
            @Override
            public void continueAsNew(ContinueAsNewInput input) {
              if (newest.getValues().containsKey(TRACE)) {
                input.getHeader().getValues().put(TRACE, newest.getValues().get(TRACE));
              }
              super.continueAsNew(input);
            }
          });
    }

    @Override
    public void handleSignal(SignalInput input) {
      if (input.getSignalName().equals(EDIT)) {
        newest = input.getHeader();
      }
      super.handleSignal(input);
    }
  }
}
