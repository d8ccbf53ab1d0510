/** What holds for all that reads and writes objects, tried on a real API server. */
package io.middleware.engine.watcher.apiserver;
