/** What holds for all objects that ask for a run, on a real API server and a real Temporal. */
package io.middleware.engine.watcher.request;
