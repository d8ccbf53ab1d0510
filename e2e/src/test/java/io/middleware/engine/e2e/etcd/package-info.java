/** A cluster of etcd, with real members in the pods. */
package io.middleware.engine.e2e.etcd;
