/** What an agent can do to the middleware process in its own pod. */
package io.middleware.engine.agent.driver;
