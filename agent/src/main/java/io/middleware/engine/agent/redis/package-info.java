/** The driver for Redis and Sentinel, and their maintenance. */
package io.middleware.engine.agent.redis;
