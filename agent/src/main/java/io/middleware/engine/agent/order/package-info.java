/** The order of work on groups and pods: pure functions. */
@NullMarked
package io.middleware.engine.agent.order;

import org.jspecify.annotations.NullMarked;
