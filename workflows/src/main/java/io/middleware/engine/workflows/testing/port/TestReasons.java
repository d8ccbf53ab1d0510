package io.middleware.engine.workflows.testing.port;

/** Why tests fail or are rejected: the types of failures, and the reasons in statuses. */
public final class TestReasons {
  /** The test itself is wrong; it has not begun, or was edited since. */
  public static final String INVALID_SPEC = "InvalidSpec";

  /** The API server refuses a manifest, or the service account may not write it. */
  public static final String APPLY_REFUSED = "ApplyRefused";

  /** The engine may not act as the service account. */
  public static final String FORBIDDEN = "Forbidden";

  /** Something did not happen in time. */
  public static final String TIMED_OUT = "TimedOut";

  /** Several objects fit the description of the target. */
  public static final String AMBIGUOUS_TARGET = "AmbiguousTarget";

  /** A check did not hold. */
  public static final String CHECK_FAILED = "CheckFailed";

  /** The load of a step has failed. */
  public static final String LOAD_TEST_FAILED = "LoadTestFailed";

  /** A Job of the workload has failed. */
  public static final String WORKLOAD_FAILED = "WorkloadFailed";

  private TestReasons() {}
}
