package io.middleware.engine.api;

/** JSON paths of columns that several kinds print. */
final class PrinterColumns {
  static final String READY_REASON = ".status.conditions[?(@.type==\"Ready\")].reason";

  private PrinterColumns() {}
}
