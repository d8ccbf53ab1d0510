package io.middleware.engine.agent.conformance;

import java.util.stream.Stream;

/** All that the protocol promises, and that can be seen from outside an agent. */
public final class AgentConformance {
  private AgentConformance() {}

  public static Stream<Promise> of(CheckedAgent agent) {
    return Stream.of(
            new OrderPromises(agent).all(),
            new QuestionPromises(agent).all(),
            new ActionPromises(agent).all(),
            new ChangePromises(agent).all())
        .flatMap(promises -> promises);
  }
}
