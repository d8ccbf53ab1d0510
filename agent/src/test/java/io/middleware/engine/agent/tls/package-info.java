/** Certificates for tests. */
package io.middleware.engine.agent.tls;
