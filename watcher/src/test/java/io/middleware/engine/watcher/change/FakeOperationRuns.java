package io.middleware.engine.watcher.change;

import java.util.ArrayList;
import java.util.List;

/** Runs of Operations that only remember what they were told. */
public final class FakeOperationRuns implements OperationRuns {
  public final List<ChangeSignal> started = new ArrayList<>();

  /** The Operations that were cancelled. */
  public final List<String> cancelled = new ArrayList<>();

  public boolean open;

  @Override
  public boolean start(ChangeSignal operation) {
    if (open) {
      return false;
    }
    started.add(operation);
    open = true;
    return true;
  }

  @Override
  public boolean isOpen(String namespace, String operation) {
    return open;
  }

  @Override
  public void cancel(String namespace, String operation) {
    cancelled.add(namespace + "/" + operation);
  }
}
