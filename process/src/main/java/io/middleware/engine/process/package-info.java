/**
 * What each process of the engine needs: settings, connections to Kubernetes and Temporal,
 * payloads, TLS, metrics, health, shutdown.
 */
@NullMarked
package io.middleware.engine.process;

import org.jspecify.annotations.NullMarked;
