/** What the workflows of tests ask for. */
@NullMarked
package io.middleware.engine.workflows.testing.port;

import org.jspecify.annotations.NullMarked;
