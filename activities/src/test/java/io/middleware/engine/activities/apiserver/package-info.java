/** A real API server and etcd for tests, without controllers. */
package io.middleware.engine.activities.apiserver;
