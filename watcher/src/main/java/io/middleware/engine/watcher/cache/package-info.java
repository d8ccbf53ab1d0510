/** What the watcher keeps of the objects it watches: as little as its work needs. */
package io.middleware.engine.watcher.cache;
