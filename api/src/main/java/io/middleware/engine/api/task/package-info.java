/**
 * The vocabulary of a change, shared by planner, workflows and status: types, tasks, phases,
 * policies, orders, kinds of faults. JDK only, so that workflows may use it.
 */
@NullMarked
package io.middleware.engine.api.task;

import org.jspecify.annotations.NullMarked;
