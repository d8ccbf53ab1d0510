/** The election of the primary of a replication group. */
package io.middleware.engine.agent.replication;
