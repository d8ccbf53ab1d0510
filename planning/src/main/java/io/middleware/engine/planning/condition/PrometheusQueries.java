package io.middleware.engine.planning.condition;

import java.net.URI;

/** Answers instant queries; waits for the answer. */
@FunctionalInterface
interface PrometheusQueries {
  /**
   * @param url of the API for instant queries, to which the policy allows to send
   */
  Samples query(URI url, String query) throws InterruptedException;
}
