/**
 * What workflows ask of the world: activity interfaces and their records, implemented elsewhere.
 */
package io.middleware.engine.workflows.port;
