/** A real API server for tests, without controllers, and what the worker has beside it. */
package io.middleware.engine.activities.apiserver;
