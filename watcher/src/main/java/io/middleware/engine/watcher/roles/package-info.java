/** The role of each ready pod: agents say it by themselves, or are asked. */
package io.middleware.engine.watcher.roles;
