/** What checks and tests ask alike: conditions, their verdicts, and who is asked over HTTP. */
package io.middleware.engine.planning.condition;
