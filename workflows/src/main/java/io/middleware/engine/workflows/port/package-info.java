/** The ports of the workflows: activity interfaces and their records, implemented elsewhere. */
package io.middleware.engine.workflows.port;
