/** A real API server for tests, with a namespace for each, and the view that a worker has of it. */
package io.middleware.engine.cluster.apiserver;
