package io.middleware.engine.workflows;

import io.middleware.engine.workflows.request.ApproveRequest;
import io.middleware.engine.workflows.request.CancelRequest;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.RetryRequest;
import io.temporal.common.converter.DataConverterException;
import io.temporal.common.converter.EncodedValues;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.DynamicSignalHandler;
import java.util.ArrayList;
import java.util.List;

/**
 * Accepts the operators' updates as signals too. A signal has no answer: a refusal is shown in the
 * status.
 */
final class UpdateSignals implements DynamicSignalHandler {
  private final AppChangeWorkflow change;
  private final List<Runnable> early = new ArrayList<>();
  private ChangeState state;

  UpdateSignals(AppChangeWorkflow change) {
    this.change = change;
  }

  /** Handles the signals that arrived before the change began. */
  void begin(ChangeState begun) {
    state = begun;
    early.forEach(Runnable::run);
  }

  @Override
  public void handle(String name, EncodedValues input) {
    if (state == null) {
      early.add(() -> handle(name, input));
      return;
    }
    try {
      switch (name) {
        case "cancelTasks" -> change.cancelTasks(input.get(0, CancelRequest.class));
        case "cancelChange" -> change.cancelChange(input.get(0, ChangeScope.class));
        case "retryTasks" -> change.retryTasks(input.get(0, RetryRequest.class));
        case "approve" -> change.approve(input.get(0, ApproveRequest.class));
        default -> throw OperatorRequests.refused("there is no such signal");
      }
    } catch (ApplicationFailure e) {
      state.note("signal " + name + " refused: " + e.getOriginalMessage());
    } catch (NotYetException e) {
      state.note("signal " + name + " refused: " + e.getMessage());
    } catch (DataConverterException e) {
      state.note("signal " + name + " refused: its input is not valid JSON");
    }
  }
}
