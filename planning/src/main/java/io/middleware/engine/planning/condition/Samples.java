package io.middleware.engine.planning.condition;

import java.util.List;

/** What became of a query to Prometheus. */
sealed interface Samples {
  /** The values of a vector in the order of the answer, or the one value of a scalar. */
  record Values(List<Double> all) implements Samples {
    public Values {
      all = List.copyOf(all);
    }
  }

  /** The query is wrong, or gives something else; asked again, Prometheus would say the same. */
  record Refused(String why) implements Samples {}

  /** Prometheus may answer later. */
  record Unanswered(String why) implements Samples {}
}
