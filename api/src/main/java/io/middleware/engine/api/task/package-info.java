/**
 * The words of a change: what planner, workflows and status agree on. JDK only, so that workflows
 * may use it.
 */
package io.middleware.engine.api.task;
