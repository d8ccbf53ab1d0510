/** The log of every process: one JSON object per line. */
@NullMarked
package io.middleware.engine.log;

import org.jspecify.annotations.NullMarked;
