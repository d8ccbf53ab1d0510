/**
 * What checks and tests ask alike: conditions, their verdicts, and who is asked over HTTP, such as
 * Prometheus and webhooks.
 */
package io.middleware.engine.planning.condition;
