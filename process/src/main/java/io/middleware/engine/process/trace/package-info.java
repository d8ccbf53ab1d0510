/** Traces of changes, by OpenTelemetry. */
package io.middleware.engine.process.trace;
