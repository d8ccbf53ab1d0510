/**
 * The ports of the workflows: activity interfaces, implemented elsewhere, with the requests and
 * answers of their steps.
 */
package io.middleware.engine.workflows.port;
