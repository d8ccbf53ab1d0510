/** Conditions that do not depend on who asks: expressions, webhooks, queries to Prometheus. */
package io.middleware.engine.activities.conditions;
