package io.middleware.engine.agent.conformance;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** The promises as tests of JUnit. */
public final class ConformanceCases {
  private ConformanceCases() {}

  public static Stream<DynamicTest> of(CheckedAgent agent) {
    return AgentConformance.of(agent)
        .map(promise -> DynamicTest.dynamicTest(promise.name(), () -> check(promise)));
  }

  private static void check(Promise promise) throws Exception {
    try {
      promise.check().run();
    } catch (Promise.NotApplicableException e) {
      abort(e.getMessage());
    }
  }
}
