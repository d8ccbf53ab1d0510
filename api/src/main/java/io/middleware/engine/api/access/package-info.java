/** Whom the middleware of an App lets in. */
@NullMarked
package io.middleware.engine.api.access;

import org.jspecify.annotations.NullMarked;
