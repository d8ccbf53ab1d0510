/**
 * The workflows: one per App change, with a child per task and per group. Deterministic, without
 * input or output.
 */
package io.middleware.engine.workflows;
