/** The interface for drivers, which control the middleware process of a pod. */
@NullMarked
package io.middleware.engine.agent.driver;

import org.jspecify.annotations.NullMarked;
