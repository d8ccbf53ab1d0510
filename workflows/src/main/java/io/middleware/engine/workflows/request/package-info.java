/** What the watcher and operators may ask of an App's workflow. */
package io.middleware.engine.workflows.request;
