/** Checks: what must hold before, during and after a change, and their results. */
@NullMarked
package io.middleware.engine.api.check;

import org.jspecify.annotations.NullMarked;
