/** In which order groups and pods are worked on: pure functions. */
package io.middleware.engine.agent.order;
