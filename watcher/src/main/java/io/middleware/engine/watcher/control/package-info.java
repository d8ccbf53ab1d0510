/** Answers the control requests that operators write as annotations on an App. */
package io.middleware.engine.watcher.control;
