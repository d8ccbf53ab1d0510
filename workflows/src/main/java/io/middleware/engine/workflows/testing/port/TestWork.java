package io.middleware.engine.workflows.testing.port;

/** The argument of an activity: it says which test the work is part of. */
public interface TestWork {
  TestRef test();
}
