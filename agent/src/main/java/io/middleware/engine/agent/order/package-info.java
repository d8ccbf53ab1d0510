/** The order of work on groups and pods: pure functions. */
package io.middleware.engine.agent.order;
