package io.middleware.engine.watcher.health;

/**
 * What a ready pod says of its role.
 *
 * @param role as it said last; empty when it never did, or the middleware has none
 * @param term of the newest claim to be the primary that it knows of, its own if it is the primary;
 *     0: not known
 * @param heard whether it says so now; otherwise it is silent, or was not heard by this process yet
 */
public record HeardRole(String role, long term, boolean heard) {}
