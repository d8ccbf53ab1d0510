/** How a task changes one component: its groups in order, and the pods of each group. */
@NullMarked
package io.middleware.engine.workflows.component;

import org.jspecify.annotations.NullMarked;
