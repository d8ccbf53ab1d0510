package io.middleware.engine.agent.replication;

/**
 * The role of a pod, and how new it is.
 *
 * @param role its name in the protocol; empty: the middleware has none
 * @param term grows with each new primary of the group: of a primary that of its own claim, of any
 *     other pod that of the newest claim that it knows; 0: not known
 */
public record RoleClaim(String role, long term) {}
