/**
 * The driver for Redis and Sentinel, and their maintenance: servers, links, snapshots, marks,
 * reloads.
 */
package io.middleware.engine.agent.redis;
