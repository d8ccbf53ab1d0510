/** Which part each ready pod plays, as the agents in the pods say. */
package io.middleware.engine.watcher.roles;
