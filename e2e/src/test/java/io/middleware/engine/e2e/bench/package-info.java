/** Measures the engine on the real local servers; run by {@code dev/bench}. */
package io.middleware.engine.e2e.bench;
