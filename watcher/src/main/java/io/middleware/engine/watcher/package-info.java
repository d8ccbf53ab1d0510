/** The process that observes the cluster: from informers to workflows and statuses. */
package io.middleware.engine.watcher;
