package io.middleware.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.common.interceptors.Header;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor.SignalInput;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor.ContinueAsNewInput;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NextChangeTraceTest {
  private static final String TRACE = "_tracer-data";

  private final InnerRun inner = new InnerRun();
  private final WorkflowInboundCallsInterceptor run =
      new NextChangeTrace().interceptWorkflow(inner);

  @BeforeEach
  void init() {
    run.init(new WorkflowEnd());
  }

  @Test
  void shouldGoOnInTheTraceOfTheNewestEdit() {
    // Given
    run.handleSignal(signal("changed", Header.empty()));
    run.handleSignal(signal("changed", traced()));
    run.handleSignal(signal("orderDegraded", Header.empty()));
    // Then
    assertThat(next().getValues()).containsOnlyKeys(TRACE);
  }

  @Test
  void shouldLeaveTheTraceAloneWithoutAnEditThatHasOne() {
    // Given
    run.handleSignal(signal("orderDegraded", traced()));
    run.handleSignal(signal("changed", Header.empty()));
    // Then
    assertThat(next().getValues()).isEmpty();
  }

  private Header next() {
    var header = Header.empty();
    inner.outbound.continueAsNew(new ContinueAsNewInput(null, null, new Object[0], header));
    return header;
  }

  private static SignalInput signal(String name, Header header) {
    return new SignalInput(name, new Object[0], 1, header);
  }

  private static Header traced() {
    var header = Header.empty();
    header.getValues().put(TRACE, null);
    return header;
  }

  private static final class InnerRun extends WorkflowInboundCallsInterceptorBase {
    private WorkflowOutboundCallsInterceptor outbound;

    InnerRun() {
      super(null);
    }

    @Override
    public void init(WorkflowOutboundCallsInterceptor given) {
      outbound = given;
    }

    @Override
    public void handleSignal(SignalInput input) {}
  }

  private static final class WorkflowEnd extends WorkflowOutboundCallsInterceptorBase {
    WorkflowEnd() {
      super(null);
    }

    @Override
    public void continueAsNew(ContinueAsNewInput input) {}
  }
}
