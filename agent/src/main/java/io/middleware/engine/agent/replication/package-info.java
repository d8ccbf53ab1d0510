/** Who is primary of a replication group. */
package io.middleware.engine.agent.replication;
