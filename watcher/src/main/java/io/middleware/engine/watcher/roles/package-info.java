/** Polls the agents in the pods for the role of each ready pod. */
package io.middleware.engine.watcher.roles;
