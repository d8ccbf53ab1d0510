/** Traces of changes, by OpenTelemetry. */
@NullMarked
package io.middleware.engine.process.trace;

import org.jspecify.annotations.NullMarked;
