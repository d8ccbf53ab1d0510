/** The requests that the watcher and operators send to an App's workflow. */
@NullMarked
package io.middleware.engine.workflows.request;

import org.jspecify.annotations.NullMarked;
