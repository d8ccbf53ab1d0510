/** Redis in one pod: its part in a replication group, and what an agent does to it. */
package io.middleware.engine.agent.redis;
