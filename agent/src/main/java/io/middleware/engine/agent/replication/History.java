package io.middleware.engine.agent.replication;

/**
 * What a server reports of its data.
 *
 * @param id by which the server names the history of its data; another primary begins another one
 * @param before the history that it continues; empty: none
 * @param offset how much of the history it has; a server may forget it when it starts
 * @param empty whether it certainly has no data
 */
public record History(String id, String before, long offset, boolean empty) {}
