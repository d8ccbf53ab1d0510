/**
 * The election of the primary of a replication group, by what its members say of their roles and
 * copies.
 */
package io.middleware.engine.agent.replication;
