/** Writes the ConfigMaps that show people and scripts what runs in a namespace and where. */
package io.middleware.engine.watcher.metadata;
