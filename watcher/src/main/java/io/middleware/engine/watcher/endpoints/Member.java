package io.middleware.engine.watcher.endpoints;

/**
 * A ready pod of a group.
 *
 * @param role as it said last; empty: it has none, or never said one
 * @param term of the newest claim to be the primary that it knows of; 0: not known
 * @param heard whether it says so now
 */
record Member(String uid, String name, String ip, String role, long term, boolean heard) {}
