/** The interface for drivers, which control the middleware process of a pod. */
package io.middleware.engine.agent.driver;
