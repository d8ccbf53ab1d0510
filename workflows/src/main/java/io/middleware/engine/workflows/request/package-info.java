/** The requests that the watcher and operators send to an App's workflow. */
package io.middleware.engine.workflows.request;
