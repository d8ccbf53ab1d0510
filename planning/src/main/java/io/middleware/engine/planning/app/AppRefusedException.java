package io.middleware.engine.planning.app;

/** Ends the planning of an App that is refused; caught where the plan is requested. */
public final class AppRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  public AppRefusedException(Refusal refusal) {
    super(refusal.reason() + ": " + refusal.message(), null, false, false);
    this.refusal = refusal;
  }

  public AppRefusedException(String reason, String message) {
    this(new Refusal(reason, message));
  }

  public Refusal refusal() {
    return refusal;
  }
}
