/**
 * What a change is: one workflow per App change, children per task and group. Deterministic,
 * without input or output.
 */
package io.middleware.engine.workflows;
