/**
 * The workflows of Apps and Operations: planning, approval, stages and tasks, checks beside them,
 * cancel, retry and end. Deterministic, without input or output.
 */
package io.middleware.engine.workflows;
