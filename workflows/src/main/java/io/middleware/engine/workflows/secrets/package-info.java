/** Reads which versions Secrets have, for a watcher that may read none. */
@NullMarked
package io.middleware.engine.workflows.secrets;

import org.jspecify.annotations.NullMarked;
