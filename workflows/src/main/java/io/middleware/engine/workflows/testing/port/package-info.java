/** What the workflows of tests ask for. */
package io.middleware.engine.workflows.testing.port;
