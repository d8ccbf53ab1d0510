/** Writes the ConfigMap that shows people and scripts what runs in a namespace and where. */
package io.middleware.engine.watcher.metadata;
