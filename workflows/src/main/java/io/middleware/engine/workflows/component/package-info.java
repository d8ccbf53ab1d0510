/**
 * How a task changes one component: its groups in order, the pods and members of each group,
 * checks, hooks and rotations.
 */
@NullMarked
package io.middleware.engine.workflows.component;

import org.jspecify.annotations.NullMarked;
