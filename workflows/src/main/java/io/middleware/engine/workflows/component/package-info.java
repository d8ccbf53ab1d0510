/** How a task changes one component: its groups in order, and the pods of each group. */
package io.middleware.engine.workflows.component;
