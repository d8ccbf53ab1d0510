package io.middleware.engine.activities.plan;

/** Ends the planning of an App that is refused; caught where the plan is requested. */
final class AppRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  AppRefusedException(Refusal refusal) {
    super(refusal.reason() + ": " + refusal.message(), null, false, false);
    this.refusal = refusal;
  }

  AppRefusedException(String reason, String message) {
    this(new Refusal(reason, message));
  }

  Refusal refusal() {
    return refusal;
  }
}
