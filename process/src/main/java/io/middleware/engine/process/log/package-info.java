/** What is left out of the log of the processes that use Temporal. */
@NullMarked
package io.middleware.engine.process.log;

import org.jspecify.annotations.NullMarked;
