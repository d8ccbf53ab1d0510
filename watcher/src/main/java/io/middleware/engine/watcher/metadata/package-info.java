/** The ConfigMap in which people and scripts read what runs in a namespace and where. */
package io.middleware.engine.watcher.metadata;
